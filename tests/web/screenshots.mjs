// SPDX-License-Identifier: Apache-2.0
// A picture of every view, in light and dark and on a phone, to be looked at.
//     usage: tests/web/run PROGRAM FOLDER screenshots.mjs     FOLDER/pictures has them
import { join } from 'node:path';
import { folder, inStudio } from './in_studio.mjs';
import { kViews } from './views.mjs';

const kKinds = {
  light: { viewport: { width: 1280, height: 800 } },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

for (const [view, go] of Object.entries(kViews))
  for (const [kind, options] of Object.entries(kKinds))
    inStudio(`picture of ${view}, ${kind}`, async (page) => {
      await go(page);
      await page.screenshot({ path: join(folder, 'pictures', `${view}-${kind}.png`) });
      // What is below the fold of the column beside the picture, or of the page.
      if (kind !== 'light') return;
      await page.evaluate(() => [document.scrollingElement, ...document.querySelectorAll('main *')]
        .filter((one) => one.scrollHeight > one.clientHeight + 40 && getComputedStyle(one).overflowY !== 'hidden')
        .forEach((one) => one.scrollTo(0, 1e6)));
      await page.screenshot({ path: join(folder, 'pictures', `${view}-${kind}-end.png`) });
    }, options);
