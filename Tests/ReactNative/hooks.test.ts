// .holds("P-107-03", "C13", "C8", "C9")
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act } from 'react-test-renderer';
import { createElement, useEffect } from 'react';
import {
  FakeNative, Thumbturn, biometricsOf, follow, listenToConsole, load, mount, refusalOf, sample, root, samples, screens, settle, show,
  shownBy, unlockOf, valueOf,
} from './support';

let native: FakeNative;
let thumbturn: Thumbturn;
let written: ReturnType<typeof listenToConsole>;

beforeEach(() => {
  native = new FakeNative();
  thumbturn = load(native);
  written = listenToConsole();
});

afterEach(() => {
  written.stop();
  assert.deepEqual(written.lines, []);
});

describe('one truth (P-107-03, C13)', () => {
  it('useAppUnlock shows every frozen sample of the unlock screen, as SwiftUI does', () => {
    thumbturn.openVault();
    const states = new Set<string>();
    for (const { name, language, fields } of samples('unlock')) {
      native.showScreens({ unlock: fields }, language);
      const hook = mount(thumbturn.useAppUnlock);
      assert.deepEqual(shownBy(hook.latest), unlockOf(fields), name);
      states.add(hook.latest.state);
      hook.unmount();
    }
    assert(states.size >= 4, [...states].join());
  });

  it('useBiometricSettings shows every frozen sample of the settings, as SwiftUI does (C9)', () => {
    thumbturn.openVault();
    const toggles = new Set<string>();
    for (const { name, language, fields } of samples('biometrics')) {
      native.showScreens({ biometrics: fields }, language);
      const hook = mount(thumbturn.useBiometricSettings);
      assert.deepEqual(shownBy(hook.latest), biometricsOf(fields), name);
      const { isShown, enabled, obstacle } = hook.latest;
      toggles.add(!isShown ? 'hidden' : enabled ? 'on' : obstacle ? 'inactive' : 'off');
      hook.unmount();
    }
    assert.deepEqual([...toggles].sort(), ['hidden', 'inactive', 'off', 'on']);
  });

  it('useScreen shows every frozen sample of every screen as it is', () => {
    thumbturn.openVault();
    for (const screen of screens()) {
      for (const { name, language, fields } of samples(screen)) {
        native.showScreens({ [screen]: fields }, language);
        const hook = mount(() => thumbturn.useScreen(screen));
        assert.deepEqual(hook.latest.fields, fields, name);
        hook.unmount();
      }
    }
  });

  it('each of the five states is shown, and REVOKED until native says otherwise (C8)', () => {
    thumbturn.openVault();
    const secret = sample('unlock-secret');
    native.showScreens({ unlock: secret });
    const hook = mount(thumbturn.useAppUnlock);
    for (const state of ['LOCKED', 'PROMPTING_BIOMETRIC', 'UNLOCKED', 'REQUIRE_PASSWORD', 'REVOKED']) {
      act(() => native.showScreens({ unlock: { ...secret, state } }));
      assert.equal(hook.latest.state, state);
    }
    act(() => native.showScreens({ unlock: { ...secret, state: 'REVOKED', isBusy: true } }));
    assert.equal(hook.latest.state, 'REVOKED');
    act(() => native.showScreens({ unlock: { ...secret, failedAttempts: 2 } }));
    assert.equal(hook.latest.failedAttempts, 2);
    hook.unmount();
  });

  it('useVault has all of it, and phrases and secret', () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret', 'fr'), pin: null }, 'fr');
    const hook = mount(thumbturn.useVault);
    assert.deepEqual(hook.latest.phrases, { olderCopy: 'ACCEPT', reset: 'RESET' });
    assert.deepEqual(hook.latest.secret, { kind: 'pin', length: 6 });
    assert.equal(hook.latest.language, 'fr');
    assert.equal(hook.latest.screens['pin'], null);
    hook.unmount();
  });
});

describe('renders', () => {
  it('a change renders once, and only who shows it', () => {
    thumbturn.openVault();
    const screens = { unlock: sample('unlock-secret'), biometrics: sample('biometrics-off') };
    native.showScreens(screens);
    const unlock = mount(thumbturn.useAppUnlock);
    const settings = mount(thumbturn.useBiometricSettings);
    assert.deepEqual([unlock.renders, settings.renders], [1, 1]);
    act(() => native.showScreens({ ...screens, unlock: sample('unlock-prompt') }));
    assert.deepEqual([unlock.renders, settings.renders], [2, 1]);
    // The same again is no change.
    act(() => native.showScreens({ ...screens, unlock: sample('unlock-prompt') }));
    assert.deepEqual([unlock.renders, settings.renders], [2, 1]);
    unlock.unmount();
    settings.unmount();
  });

  it('functions keep their identity over changes, components and screens', () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret'), biometrics: sample('biometrics-off') });
    const hooks = [mount(thumbturn.useAppUnlock), mount(thumbturn.useAppUnlock)];
    const settings = mount(thumbturn.useBiometricSettings);
    const screen = mount(() => thumbturn.useScreen('unlock'));
    act(() => native.showScreens({ unlock: sample('unlock-content'), biometrics: sample('biometrics-on') }));
    const names = ['unlockWithBiometric', 'unlockWithPassword', 'unlockWithSystem', 'lock', 'resetError'] as const;
    const results = [...hooks[0]!.results, ...hooks[1]!.results];
    for (const name of names) assert.equal(new Set(results.map((result) => result[name])).size, 1, name);
    for (const name of ['enable', 'disable', 'refresh', 'resetError'] as const) {
      assert.equal(new Set(settings.results.map((result) => result[name])).size, 1, name);
    }
    assert.equal(screen.renders, 2);
    assert.equal(new Set(screen.results.map((result) => result.send)).size, 1);
    for (const hook of [...hooks, settings, screen]) hook.unmount();
  });

  it('a value that came between the first render and the subscription is shown', () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret') });
    const late = native.addListener.bind(native);
    native.addListener = (event, listener) => {
      // As native may do while React commits.
      native.value = valueOf({ unlock: sample('unlock-content') });
      return late(event, listener);
    };
    const hook = mount(thumbturn.useAppUnlock);
    assert.equal(hook.latest.state, 'UNLOCKED');
    hook.unmount();
  });

  it('of two values on their way the newest is shown, though it is told first', () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-content') });
    const hook = mount(thumbturn.useAppUnlock);
    act(() => {
      const open = native.value as string;
      native.showScreens({ unlock: sample('unlock-secret') });
      const locked = native.value as string;
      native.show(open);
      native.value = locked;
    });
    act(() => native.show(native.value as string));
    assert.equal(hook.latest.state, 'LOCKED');
    hook.unmount();
  });
});

describe('one prompt', () => {
  const prompts = (): number => native.calls.filter((call) => call.includes('unlockWithBiometric')).length;

  it('for a double tap', async () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret-withSensor') });
    const hook = mount(thumbturn.useAppUnlock);
    const taps = [hook.latest.unlockWithBiometric(), hook.latest.unlockWithBiometric()];
    assert.equal(prompts(), 1);
    native.last().answer({ error: null });
    await Promise.all(taps);
    // Afterwards a tap is another one.
    const third = hook.latest.unlockWithBiometric();
    assert.equal(prompts(), 2);
    native.last().answer({ error: null });
    await third;
    hook.unmount();
  });

  it('but another secret is another call, with an answer of its own', async () => {
    thumbturn.openVault();
    native.showScreens({ wallets: sample('wallets-mnemonic') });
    const hook = mount(() => thumbturn.useScreen('wallets'));
    const action = { name: 'import', secret: 'taken', wallet: 'savings' };
    const first = hook.latest.send(action, 'legal winner thank year');
    const answerFirst = native.last().answer;
    const second = follow(hook.latest.send(action, 'letter advice cage absurd'));
    assert.equal(native.calls.filter((call) => call.includes('import')).length, 2);
    native.last().answer({ error: { code: 'ERR-TT-113', hint: 'h', message: 'm', recoverable: true } });
    answerFirst({ error: null });
    await first;
    await settle();
    assert.equal(second.error.code, 'ERR-TT-113');
    hook.unmount();
  });

  it('for two components, and both hear of its refusal', async () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret-withSensor') });
    const [one, other] = [mount(thumbturn.useAppUnlock), mount(thumbturn.useAppUnlock)];
    const taps = [follow(one.latest.unlockWithBiometric()), follow(other.latest.unlockWithBiometric())];
    assert.equal(prompts(), 1);
    native.last().answer({ error: { code: 'ERR-107-031', hint: 'h', message: 'm', recoverable: true } });
    await settle();
    for (const tap of taps) assert.equal(tap.error.code, 'ERR-107-031');
    one.unmount();
    other.unmount();
  });

  it("for StrictMode's double mount, and one subscription", async () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret-withSensor') });
    const hook = mount(() => {
      const unlock = thumbturn.useAppUnlock();
      useEffect(() => void unlock.unlockWithBiometric().catch(() => undefined), [unlock.unlockWithBiometric]);
      return unlock;
    }, true);
    assert.equal(prompts(), 1);
    assert.equal(native.mostListeners, 1);
    native.last().answer({ error: null });
    await settle();
    hook.unmount();
    assert.equal(native.listeners, 0);
  });

  it('a cancelled prompt is not asked again by itself', async () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret-withSensor') });
    const hook = mount(thumbturn.useAppUnlock);
    const tap = follow(hook.latest.unlockWithBiometric());
    act(() => native.showScreens({ unlock: sample('unlock-prompt') }));
    native.last().answer({ error: { code: 'ERR-107-031', hint: 'h', message: 'm', recoverable: true } });
    act(() => native.showScreens({ unlock: sample('unlock-secret-withSensor') }));
    await settle();
    assert.equal(tap.ended, 'rejected');
    assert.equal(prompts(), 1);
    hook.unmount();
  });

  it('two different actions are two', () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-olderCopy-question') });
    const { send } = mount(() => thumbturn.useScreen('unlock')).latest;
    void send({ name: 'acceptOlderCopy', typed: 'A' }).catch(() => undefined);
    void send({ name: 'acceptOlderCopy', typed: 'B' }).catch(() => undefined);
    assert.equal(native.sent.length, 2);
    for (const sent of native.sent) sent.answer({ error: null });
  });
});

describe('components that come and go', () => {
  it('one that unmounts in the middle neither warns nor keeps a subscription', async () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret-withSensor') });
    const hook = mount(thumbturn.useAppUnlock);
    const tap = hook.latest.unlockWithBiometric();
    hook.unmount();
    assert.equal(native.listeners, 0);
    native.showScreens({ unlock: sample('unlock-content') });
    native.last().answer({ error: null });
    await tap;
    assert.deepEqual(native.cancelled, []);
  });

  it('a thousand mounts and unmounts leave no listener', () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret') });
    for (let count = 0; count < 1000; count++) {
      const hook = mount(thumbturn.useAppUnlock, count % 2 === 0);
      if (count === 500) act(() => native.showScreens({ unlock: sample('unlock-content') }));
      hook.unmount();
    }
    assert.equal(native.listeners, 0);
    assert.equal(native.mostListeners, 1);
  });

  it('a hundred components share one listener', () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret') });
    const hooks = Array.from({ length: 100 }, () => mount(thumbturn.useAppUnlock));
    assert.equal(native.listeners, 1);
    act(() => native.showScreens({ unlock: sample('unlock-content') }));
    for (const hook of hooks) assert.equal(hook.latest.state, 'UNLOCKED');
    for (const hook of hooks.slice(1)) hook.unmount();
    assert.equal(native.listeners, 1);
    hooks[0]!.unmount();
    assert.equal(native.listeners, 0);
  });

  it('one that was there before the vault was opened shows it then', () => {
    native.value = valueOf({ unlock: sample('unlock-content') });
    const hook = mount(thumbturn.useAppUnlock);
    assert.equal(hook.latest.state, 'LOCKED');
    act(() => thumbturn.openVault());
    assert.equal(hook.latest.state, 'UNLOCKED');
    act(() => native.showScreens({ unlock: sample('unlock-secret') }));
    assert.equal(hook.latest.state, 'LOCKED');
    hook.unmount();
    assert.equal(native.listeners, 0);
  });
});

describe('actions', () => {
  it('each call of the hooks is one action of the frozen forms', async () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret'), biometrics: sample('biometrics-on') });
    const unlock = mount(thumbturn.useAppUnlock).latest;
    const settings = mount(thumbturn.useBiometricSettings).latest;
    const calls: [string, () => unknown][] = [
      ['action-unlock-unlockWithBiometric', unlock.unlockWithBiometric],
      ['action-unlock-submitSecret', () => unlock.unlockWithPassword('000000')],
      ['action-unlock-unlockWithSystem', unlock.unlockWithSystem],
      ['action-unlock-lock', unlock.lock],
      ['action-unlock-resetError', unlock.resetError],
      ['action-biometrics-enable', () => settings.enable('000000')],
      ['action-biometrics-disable-bare', () => settings.disable()],
      ['action-biometrics-disable-bare', () => settings.disable('lost my finger')],
      ['action-biometrics-disable', () => settings.disable('lost my finger', '000000')],
      ['action-biometrics-refresh', settings.refresh],
      ['action-biometrics-resetError', settings.resetError],
    ];
    for (const [name, call] of calls) {
      const ended = call();
      const frozen = readFileSync(join(root, 'Tests', 'Vectors', 'screens', `${name}.json`), 'utf8').trim();
      assert.equal(native.last().action, frozen);
      assert.equal(native.last().secret, frozen.includes('taken') ? '000000' : null);
      native.last().answer({ error: null });
      await ended;
    }
  });

  it('what a screen offers can be sent as it is', async () => {
    thumbturn.openVault();
    const offered = screens().flatMap((screen) => samples(screen).map(({ fields }) => ({ screen, fields })));
    for (const { screen, fields } of offered) {
      native.showScreens({ [screen]: fields });
      const hook = mount(() => thumbturn.useScreen(screen));
      for (const { action } of hook.latest.fields?.offers ?? []) {
        const ended = hook.latest.send(action, action['secret'] ? '000000' : undefined);
        assert.deepEqual(JSON.parse(native.last().action), action);
        native.last().answer({ error: null, more: 1 });
        assert.deepEqual(await ended, { more: 1 });
      }
      hook.unmount();
    }
  });

  it('a screen is named where it is not, and another hook never', async () => {
    thumbturn.openVault();
    native.showScreens({});
    const hook = mount(() => thumbturn.useScreen('pin'));
    const ended = hook.latest.send('cancel');
    assert.equal(native.last().action, '{"name":"cancel","screen":"pin"}');
    native.last().answer({ error: null });
    await ended;
    const all = mount(thumbturn.useVault);
    const other = all.latest.send({ screen: 'app', name: 'recover' });
    assert.equal(native.last().action, '{"name":"recover","screen":"app"}');
    native.last().answer({ error: null });
    await other;
  });

  it("a refusal has the catalogue's code, text and hint as native says them", async () => {
    thumbturn.openVault({ language: 'fr' });
    native.showScreens({ unlock: sample('unlock-secret', 'fr') }, 'fr');
    const hook = mount(thumbturn.useAppUnlock);
    const { error } = sample('unlock-secret-refused', 'fr');
    const ended = hook.latest.unlockWithPassword('000000');
    native.last().answer({ error });
    const refusal = await refusalOf(ended);
    assert(refusal instanceof thumbturn.VaultError && refusal instanceof Error);
    assert.deepEqual({ ...refusal, message: refusal.message }, { name: 'VaultError', ...error });
    hook.unmount();
  });
});

describe('the way it is opened', () => {
  it('importing and mounting ask native for nothing but its value', () => {
    native.value = valueOf({ unlock: sample('unlock-secret') });
    assert.deepEqual(native.calls, []);
    thumbturn.openVault({ secret: { kind: 'pin', length: 6 }, language: 'fr', policy: 'pd107' });
    const hook = mount(thumbturn.useAppUnlock);
    assert.deepEqual(native.calls, [
      'open {"language":"fr","policy":"pd107","secret":{"kind":"pin","length":6}}',
      'addListener',
    ]);
    hook.unmount();
  });

  it('again with the same options changes nothing, with others opens it so', () => {
    thumbturn.openVault();
    thumbturn.openVault();
    assert.deepEqual(native.calls, ['open {"language":"en","policy":"wallet","secret":{"kind":"pin","length":null}}']);
    thumbturn.openVault({ language: 'fr' });
    assert.equal(native.calls.length, 2);
  });

  it('a tree without any native part still renders', () => {
    const { useAppUnlock, VaultCover, SecretField, SecretText } = load(null);
    const hook = mount(useAppUnlock);
    assert.equal(hook.latest.error?.code, 'NATIVE_MISSING');
    hook.unmount();
    const tree = show(createElement(VaultCover, { children: createElement(SecretField, { onEntry: () => undefined }) }));
    assert.deepEqual(tree.toJSON(), { type: 'View', props: {}, children: null });
    assert.equal(show(createElement(SecretText, { secret: null })).toJSON(), null);
  });
});
