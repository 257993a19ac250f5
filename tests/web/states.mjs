// SPDX-License-Identifier: Apache-2.0
// Where the page must hold still, or cannot draw: hidden tabs, reduced motion, no WebGL 2, a lost card.
import assert from 'node:assert/strict';
import { beam, browser, farthest, inStudio, openLive, studio, until, visit } from './in_studio.mjs';

inStudio('it starts paused where motion is to be reduced', async (page) => {
  const hook = await openLive(page);
  assert.equal((await hook.state()).running, false);
  assert.equal((await hook.state()).frame.step, 0);
  await page.getByRole('button', { name: 'Run' }).click();
  await until(page, async () => (await window.limber.state()).frame.step > 0);
}, { reducedMotion: 'reduce' });

inStudio('without WebGL 2 there is a message and a way back', async (page) => {
  await page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
      return kind === 'webgl2' ? null : getContext.call(this, kind, ...more);
    };
  });
  await visit(page, `#/live/${beam}`);
  const alert = page.getByRole('alert').filter({ hasText: 'cannot draw with WebGL 2' });
  await alert.waitFor();
  assert.match(await alert.textContent(), /Try: use a current browser/);
  await page.getByRole('link', { name: 'Back to the gallery' }).click();
  await page.getByRole('heading', { level: 1, name: 'Soft bodies' }).waitFor();
}, { expected: /WebGL/ });

inStudio('a lost card is told, and the picture comes back', async (page) => {
  const hook = await openLive(page);
  await page.evaluate(() => {
    window.loss = document.querySelector('canvas.stage').getContext('webgl2').getExtension('WEBGL_lose_context');
    window.loss.loseContext();
  });
  const message = page.getByText('The graphics context was lost');
  await message.waitFor();
  await page.evaluate(() => window.loss.restoreContext());
  await message.waitFor({ state: 'detached' });
  await hook.run(false);
  await hook.setState([0.5, ...Array(9).fill(0)]);
  // What is on the card is the body again, bent.
  const [card, cpu, rest] = [await hook.positionsFromGpu(), await hook.positionsFromCpu(), await hook.restPositions()];
  assert.ok(farthest(cpu, rest) > 0.01);
  assert.ok(farthest(card, cpu) < 1e-5);
});

// A tab that Playwright does not hold visible: a window of its own, told by the browser's protocol.
async function openTab(address) {
  const session = await browser.newBrowserCDPSession();
  const { targetId } = await session.send('Target.createTarget', { url: address, newWindow: true });
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
  const { windowId } = await session.send('Browser.getWindowForTarget', { targetId });
  const waiting = new Map();
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, ...answer } = JSON.parse(message);
    waiting.get(id)?.(answer);
  });
  let calls = 0;
  return {
    async evaluate(expression) {
      const id = ++calls;
      const answer = new Promise((resolve) => { waiting.set(id, resolve); });
      const params = { expression, awaitPromise: true, returnByValue: true };
      const message = JSON.stringify({ id, method: 'Runtime.evaluate', params });
      await session.send('Target.sendMessageToTarget', { sessionId, message });
      const { result: value, error } = await answer;
      // Asked of the empty page that a tab begins with: the page proper has come meanwhile.
      if (error && /context|navigated/i.test(error.message)) return this.evaluate(expression);
      if (error) throw new Error(error.message);
      const { result, exceptionDetails } = value;
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    show: (windowState) => session.send('Browser.setWindowBounds', { windowId, bounds: { windowState } }),
    close: () => session.send('Target.closeTarget', { targetId }),
  };
}

inStudio('a hidden tab pauses, and goes on when it is seen again', async () => {
  const tab = await openTab(`${studio.address}?antialias=off#token=${studio.token}`);
  const stepsMade = () => tab.evaluate('limber.step(0).then(() => limber.state()).then(({ frame }) => frame.step)');
  const untilTrue = (condition) => tab.evaluate(`new Promise((done) => {
    const look = () => (${condition}) ? done() : requestAnimationFrame(look);
    look();
  })`);
  try {
    await untilTrue('document.querySelector("main h1")');
    await tab.evaluate(`location.hash = "#/live/${beam}"`);
    await untilTrue('document.querySelector("[role=toolbar]")');
    await tab.evaluate(`(async () => {
      while ((await limber.state()).frame.step === 0) await new Promise(requestAnimationFrame);
    })()`);
    await tab.show('minimized');
    await tab.evaluate(`new Promise((done) => {
      if (document.hidden) done();
      else document.addEventListener("visibilitychange", () => done(), { once: true });
    })`);
    // The worker answers in order: what was asked of it before is done by now.
    const then = await stepsMade();
    await tab.evaluate('limber.bench(200000)');
    assert.equal(await stepsMade(), then, 'no step was made while hidden');
    await tab.show('normal');
    await tab.evaluate(`(async () => {
      while ((await limber.state()).frame.step === ${then}) await new Promise(requestAnimationFrame);
    })()`);
  } finally {
    await tab.close();
  }
});
