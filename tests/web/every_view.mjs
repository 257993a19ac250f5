// SPDX-License-Identifier: Apache-2.0
// What holds in all views: nothing that keeps people out (axe-core), and nothing wider than a phone.
import assert from 'node:assert/strict';
import axe from 'axe-core';
import { inStudio } from './in_studio.mjs';
import { kViews } from './views.mjs';

// Colours differ between light and dark, structure does not.
async function barriers(page, rules) {
  await page.evaluate(axe.source);
  return page.evaluate(async (only) => {
    const { violations } = await window.axe.run(document, only ? { runOnly: only } : {});
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target} ${any[0]?.message ?? ''}`));
  }, rules);
}

for (const [name, go] of Object.entries(kViews)) {
  inStudio(`nothing keeps people out of the view ${name}, in light and dark; it fits a phone`, async (page) => {
    await go(page);
    assert.deepEqual(await barriers(page), []);
    await page.getByRole('banner').getByRole('combobox').selectOption('dark');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.deepEqual(await barriers(page, ['color-contrast']), []);
    await page.setViewportSize({ width: 390, height: 844 });
    // Plots follow their place a frame later.
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    const { width, beyond } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      beyond: [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > 390.5)
        .map((one) => one.outerHTML.slice(0, 120)),
    }));
    assert.equal(width, 390, `wider than the screen, perhaps because of ${beyond[0]}`);
  });
}
