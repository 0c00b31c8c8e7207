import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { act } from 'react-test-renderer';
import { FakeNative, listenToConsole, load, mount, refusalOf, sample, show } from './support';
import { createElement } from 'react';

const secret = 'SENTINEL-of-a-secret';

/** Everything that can be reached from an object, also what is not enumerable. */
function reach(start: unknown): string[] {
  const [seen, found] = [new Set<unknown>(), [] as string[]];
  const queue: unknown[] = [start];
  while (queue.length > 0) {
    const next = queue.pop();
    if (typeof next === 'string') found.push(next);
    if ((typeof next !== 'object' && typeof next !== 'function') || next === null || seen.has(next)) continue;
    seen.add(next);
    for (const name of Reflect.ownKeys(next)) {
      const { value } = Object.getOwnPropertyDescriptor(next, name) ?? {};
      queue.push(value);
    }
  }
  return found;
}

describe('no secret', () => {
  it('is in a JSON line, the console, an error, the fields or what developer tools see of the components', async () => {
    const native = new FakeNative();
    const thumbturn = load(native);
    const written = listenToConsole();
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret'), biometrics: sample('biometrics-off') });
    const [unlock, settings] = [mount(thumbturn.useAppUnlock), mount(thumbturn.useBiometricSettings)];
    const screen = mount(() => thumbturn.useScreen('unlock'));
    const calls = [
      () => unlock.latest.unlockWithPassword(secret),
      () => settings.latest.enable(secret),
      () => settings.latest.disable('a reason', secret),
      // By mistake where the reason goes: it goes nowhere.
      () => settings.latest.disable(secret),
      () => screen.latest.send('submitRecoveryKey', secret),
      () => thumbturn.OwnerSecret.set('token', secret),
      () => thumbturn.OwnerSecret.set('token', Uint8Array.from(Buffer.from(secret))),
    ];
    const errors: unknown[] = [];
    for (const answer of ['{"error":{"code":"ERR-107-040","message":"m","hint":"h","recoverable":true}}', 'no JSON', '{}']) {
      for (const call of calls) {
        const tap = call();
        const trees = [unlock.root, settings.root, screen.root, unlock.results, settings.results, screen.results];
        for (const text of reach(trees)) assert(!text.includes(secret));
        native.last().answer(answer);
        errors.push(await refusalOf(tap));
      }
      act(() => native.showScreens({ unlock: sample('unlock-secret-refused') }));
    }
    for (const text of reach(errors)) assert(!text.includes(secret));
    assert(!native.calls.join().includes(secret) && !native.sent.map((sent) => sent.action).join().includes(secret));
    written.stop();
    assert.deepEqual(written.lines, []);
    // The walk finds what is there.
    assert(reach(mount(() => ({ secret })).results).includes(secret));
    assert(reach(show(createElement('View', { of: secret })).root).includes(secret));
    for (const hook of [unlock, settings, screen]) hook.unmount();
  });

  it("is in V8's heap after the call and a collection (V8 is not Hermes)", () => {
    const folder = mkdtempSync(join(tmpdir(), 'thumbturn-heap-'));
    try {
      const holds = (how: string): boolean => {
        const file = join(folder, `${how}.heapsnapshot`);
        const codes = Array.from(secret, (letter) => letter.charCodeAt(0) ^ 1).join();
        const child = spawnSync(process.execPath, ['--expose-gc', join(__dirname, 'heap.js'), how, codes, file], { encoding: 'utf8' });
        assert.equal(child.status, 0, child.stderr);
        const heap = readFileSync(file, 'utf8');
        // Bytes become a text by way of their escaped form.
        const escaped = Array.from(secret, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
        return [secret, escaped].some((text) => heap.includes(text));
      };
      assert.equal(holds('held'), true);
      assert.equal(holds('dropped'), false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
