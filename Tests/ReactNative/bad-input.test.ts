import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { act } from 'react-test-renderer';
import { createElement } from 'react';
import type { GivenSecret, SecretUse } from '@thumbturn/react-native';
import {
  Clock, FakeNative, Thumbturn, follow, listenToConsole, load, mount, refusalOf, sample, settle, show, valueOf,
} from './support';

let native: FakeNative;
let thumbturn: Thumbturn;
let written: ReturnType<typeof listenToConsole>;
let clock: Clock | undefined;

beforeEach(() => {
  native = new FakeNative();
  thumbturn = load(native);
  written = listenToConsole();
});

afterEach(() => {
  clock?.stop();
  clock = undefined;
  written.stop();
  assert.deepEqual(written.lines, []);
});

function opened(): ReturnType<Thumbturn['useAppUnlock']> {
  thumbturn.openVault();
  native.showScreens({ unlock: sample('unlock-secret-withSensor') });
  return mount(thumbturn.useAppUnlock).latest;
}

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));

/** A SecretEntry as a native field tells it. */
function typed(handle: unknown = 7, length: unknown = 6, use?: SecretUse): any {
  let entry: unknown;
  const field = show(createElement(thumbturn.SecretField, { onEntry: (next) => (entry = next), use }));
  field.root.findByType('ThumbturnSecretField').props['onEntry']({ nativeEvent: { handle, length } });
  return entry;
}

describe('secrets from JavaScript', () => {
  const wrong: [string, unknown, string][] = [
    ['undefined', undefined, 'SECRET_MISSING'],
    ['null', null, 'SECRET_MISSING'],
    ['a number, which would name an entry', 493_817, 'ARGUMENT_WRONG'],
    ['NaN', NaN, 'ARGUMENT_WRONG'],
    ['a yes', true, 'ARGUMENT_WRONG'],
    ['an object', { toString: () => '000000' }, 'ARGUMENT_WRONG'],
    ['an array', ['000000'], 'ARGUMENT_WRONG'],
    ['a function', () => '000000', 'ARGUMENT_WRONG'],
    ['an entry that no field made', { length: 6, handle: 7 }, 'ARGUMENT_WRONG'],
    ['10 MB', '1'.repeat(10_000_000), 'ERR-TT-307'],
    ['half a pair at the end', '00000\uD83D', 'ERR-TT-307'],
    ['half a pair at the start', '\uDD11000000', 'ERR-TT-307'],
    ['two halves the wrong way round', '\uDD11\uD83D0000', 'ERR-TT-307'],
  ];
  for (const [name, secret, code] of wrong) {
    it(`${name} is refused before native is asked, and the hook goes on`, async () => {
      const hook = opened();
      const calls = native.calls.length;
      const refusal = await refusalOf(hook.unlockWithPassword(secret as string));
      assert(refusal instanceof thumbturn.VaultError);
      assert.equal(refusal.code, code);
      assert.equal(native.calls.length, calls);
      const next = hook.unlockWithPassword('p\u{1F511}sswörd');
      assert.equal(native.last().secret, 'p\u{1F511}sswörd');
      native.last().answer({ error: null });
      await next;
    });
  }

  it('an entry goes as its number, once', async () => {
    const hook = opened();
    const entry = typed(7, 6);
    assert.equal(entry.length, 6);
    const first = hook.unlockWithPassword(entry);
    assert.equal(native.last().secret, 7);
    // A second tap joins the first, and needs no entry of its own.
    const second = hook.unlockWithPassword(entry);
    native.last().answer({ error: { code: 'ERR-107-040', message: 'm', hint: 'h', recoverable: true } });
    for (const tap of [first, second]) assert.equal((await refusalOf(tap)).code, 'ERR-107-040');
    assert.equal((await refusalOf(hook.unlockWithPassword(entry))).code, 'SECRET_MISSING');
    assert.equal(native.sent.length, 1);
  });

  it('a field that tells nonsense tells no entry', () => {
    opened();
    for (const [handle, length] of [[null, 6], ['7', 6], [NaN, 6], [7.5, 6], [7, NaN], [7, -1], [7, 0], [0, 0]]) {
      assert.equal(typed(handle, length), null);
    }
  });

  it("the newest listener of a field hears it, and one entry is no other's", () => {
    opened();
    assert.notEqual(typed(7, 6), typed(7, 6));
  });

  it('a secret beside an action that takes none is refused, and so is one inside an action', async () => {
    opened();
    const { send } = mount(() => thumbturn.useScreen('unlock')).latest;
    const calls = native.calls.length;
    assert.equal((await refusalOf(send({ name: 'submitSecret', secret: '493817' }))).code, 'ARGUMENT_WRONG');
    assert.equal((await refusalOf(send({ name: 'submitSecret', secret: 'taken' }))).code, 'SECRET_MISSING');
    assert.equal(native.calls.length, calls);
  });
});

describe('actions from JavaScript', () => {
  const wrong: [string, unknown][] = [
    ['undefined', undefined],
    ['null', null],
    ['a number', 7],
    ['an array', ['lock']],
    ['no name', { typed: 'RESET' }],
    ['a name that is none', { name: 7 }],
    ['a member that is an object', { name: 'reset', typed: { toString: () => 'RESET' } }],
    ['a member that is a number', { name: 'reset', typed: 7 }],
    ['a member that is undefined', { name: 'reset', typed: undefined }],
    ['a member that is too long', { name: 'reset', typed: 'R'.repeat(10_000_000) }],
    ['a member with half a pair', { name: 'reset', typed: '\uD800' }],
    ['a screen that is none', { screen: 7, name: 'reset' }],
  ];
  for (const [name, action] of wrong) {
    it(`${name} is refused before native is asked`, async () => {
      opened();
      const { send } = mount(() => thumbturn.useScreen('unlock')).latest;
      const calls = native.calls.length;
      assert.equal((await refusalOf(send(action as string))).code, 'ARGUMENT_WRONG');
      assert.equal(native.calls.length, calls);
    });
  }

  it("options that are none are refused, and the vault can still be opened", () => {
    const wrong: unknown[] = [
      null, 7, 'fr', [], { language: 'de' }, { policy: 'none' }, { secret: 'pin' }, { secret: null }, { secret: { kind: 'face' } },
      { secret: { kind: 'pin', length: 0 } }, { secret: { kind: 'pin', length: 6.5 } }, { secret: { kind: 'password', length: 8 } },
    ];
    for (const options of wrong) {
      assert.throws(() => thumbturn.openVault(options as object), { code: 'ARGUMENT_WRONG' });
    }
    assert.deepEqual(native.calls, []);
    thumbturn.openVault({ secret: { kind: 'password' } });
    assert.deepEqual(native.calls, ['open {"language":"en","policy":"wallet","secret":{"kind":"password","length":null}}']);
  });
});

describe('before and without native', () => {
  it('before openVault the hooks show a locked vault, and calls say what is missing', async () => {
    const hook = mount(thumbturn.useAppUnlock);
    const settings = mount(thumbturn.useBiometricSettings);
    assert.deepEqual([hook.latest.state, hook.latest.screen, hook.latest.isCovered], ['LOCKED', { name: 'opening' }, true]);
    assert.deepEqual([settings.latest.isShown, settings.latest.enabled, settings.latest.loading], [false, false, true]);
    for (const call of [hook.latest.unlockWithBiometric, settings.latest.refresh, () => hook.latest.unlockWithPassword('000000')]) {
      assert.equal((await refusalOf(call())).code, 'NOT_OPENED');
    }
    hook.latest.resetError();
    assert.deepEqual(native.calls, []);
    hook.unmount();
    settings.unmount();
  });

  it('before the first value they do too, and calls reach native', async () => {
    thumbturn.openVault({ language: 'fr' });
    const hook = mount(thumbturn.useAppUnlock);
    assert.deepEqual([hook.latest.state, hook.latest.error], ['LOCKED', undefined]);
    const tap = hook.latest.unlockWithBiometric();
    native.last().answer({ error: { code: 'ERR-TT-201', message: 'm', hint: 'h', recoverable: false } });
    assert.equal((await refusalOf(tap)).code, 'ERR-TT-201');
    hook.unmount();
  });

  for (const [language, message] of [
    ['en', 'The native part of Thumbturn is not in this app: Expo Go has none, make a development build.'],
    ['fr', "La partie native de Thumbturn n'est pas dans cette app : Expo Go n'en a pas, faites un build de développement."],
  ] as const) {
    it(`in Expo Go the hooks say so in one sentence (${language}), and nothing crashes`, async () => {
      thumbturn = load(null);
      thumbturn.openVault({ language });
      const hook = mount(thumbturn.useAppUnlock);
      const settings = mount(thumbturn.useBiometricSettings);
      const screen = mount(() => thumbturn.useScreen('pin'));
      const { error, notice, state, isCovered } = hook.latest;
      assert.deepEqual([error?.code, error?.message, error?.recoverable], ['NATIVE_MISSING', message, false]);
      assert.deepEqual([notice, state, isCovered], [error, 'LOCKED', true]);
      assert.deepEqual([settings.latest.error?.message, settings.latest.loading], [message, false]);
      assert.deepEqual([screen.latest.fields, screen.latest.error?.message], [null, message]);
      for (const call of [
        hook.latest.unlockWithBiometric, settings.latest.refresh, () => screen.latest.send('cancel'),
        () => thumbturn.OwnerSecret.remove('token'),
      ]) {
        assert.equal((await refusalOf(call() as Promise<unknown>)).code, 'NATIVE_MISSING');
      }
      for (const mounted of [hook, settings, screen]) mounted.unmount();
    });
  }

  it('an Expo that throws for a module it lacks is one without it', () => {
    const expo = require('expo');
    const former = expo.requireOptionalNativeModule;
    expo.requireOptionalNativeModule = () => {
      throw new Error('no module');
    };
    try {
      thumbturn.openVault();
      const hook = mount(thumbturn.useAppUnlock);
      assert.equal(hook.latest.error?.code, 'NATIVE_MISSING');
      hook.unmount();
    } finally {
      expo.requireOptionalNativeModule = former;
    }
  });
});

describe('an older or broken native half', () => {
  const texts: [string, string][] = [
    ['no JSON', 'UNLOCKED'],
    ['an empty text', ''],
    ['a bare yes', 'true'],
    ['null', 'null'],
    ['an array', '[]'],
    ['no screens', '{"language":"en"}'],
    ['screens that are none', '{"screens":7}'],
  ];
  for (const [name, text] of texts) {
    it(`a value that is ${name} locks and says so, and the next good one shows`, () => {
      thumbturn.openVault();
      native.showScreens({ unlock: sample('unlock-content') });
      const hook = mount(thumbturn.useAppUnlock);
      assert.equal(hook.latest.state, 'UNLOCKED');
      act(() => native.show(text));
      assert.deepEqual([hook.latest.state, hook.latest.error?.code, hook.latest.isCovered], ['LOCKED', 'NATIVE_DIFFERS', true]);
      act(() => native.showScreens({ unlock: sample('unlock-content') }));
      assert.deepEqual([hook.latest.state, hook.latest.error], ['UNLOCKED', undefined]);
      hook.unmount();
    });
  }

  it('members that are missing or unknown show the careful side, one at a time and all together', () => {
    thumbturn.openVault();
    const whole = sample('unlock-content');
    native.showScreens({ unlock: {} });
    const hook = mount(thumbturn.useAppUnlock);
    assert.deepEqual(
      [hook.latest.state, hook.latest.isCovered, hook.latest.scope, hook.latest.screen.name, hook.latest.offers, hook.latest.texts],
      ['REQUIRE_PASSWORD', true, undefined, 'opening', [], []],
    );
    for (const name of Object.keys(whole)) {
      const { [name]: _, ...rest } = whole;
      for (const fields of [rest, { ...rest, [name]: 'of another version' }, { ...rest, [name]: { of: 'another' } }, { ...rest, [name]: 7 }]) {
        act(() => native.showScreens({ unlock: { ...fields, new: ['member'] } }));
        assert.equal(hook.latest.state, name === 'state' ? 'REQUIRE_PASSWORD' : 'UNLOCKED', name);
        if (name === 'isCovered') assert.equal(hook.latest.isCovered, true);
      }
    }
    hook.unmount();
    const settings = mount(thumbturn.useBiometricSettings);
    for (const biometrics of [{}, { capability: 7, obstacle: 'x' }, { capability: {}, enabled: 'yes', isShown: 1 }, 7, null]) {
      act(() => native.showScreens({ biometrics }));
      const { enabled, isShown, asksSecretToDisable, capability } = settings.latest;
      assert.deepEqual([enabled, isShown, asksSecretToDisable, capability.available], [false, false, true, false]);
    }
    settings.unmount();
  });

  it('a native half without a function refuses, and does not crash', async () => {
    thumbturn = load({ fields: () => valueOf({ unlock: sample('unlock-secret') }) });
    thumbturn.openVault();
    const hook = mount(thumbturn.useAppUnlock);
    assert.equal(hook.latest.error?.code, 'NATIVE_DIFFERS');
    assert.equal((await refusalOf(hook.latest.unlockWithBiometric())).code, 'NATIVE_DIFFERS');
    hook.unmount();
  });

  it('a native half whose fields throw locks', () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-content') });
    const hook = mount(thumbturn.useAppUnlock);
    native.fields = () => {
      throw new Error('493817');
    };
    act(() => native.show('x'));
    assert.deepEqual([hook.latest.state, hook.latest.error?.code], ['LOCKED', 'NATIVE_DIFFERS']);
    hook.unmount();
  });
});

describe('answers', () => {
  const answers: [string, unknown, string | null][] = [
    ['done', { error: null }, null],
    ['refused', { error: { code: 'ERR-107-040', message: 'm', hint: 'h', recoverable: true } }, 'ERR-107-040'],
    ['refused by an older half, without a hint', { error: { code: 'ERR-107-040', message: 'm' } }, 'ERR-107-040'],
    ['a yes', true, 'NATIVE_DIFFERS'],
    ['an object that says yes', { unlocked: true }, 'NATIVE_DIFFERS'],
    ['no JSON', 'UNLOCKED', 'NATIVE_DIFFERS'],
    ['an error that is a yes', { error: true }, 'NATIVE_DIFFERS'],
    ['an error without a code', { error: { message: 'm' } }, 'NATIVE_DIFFERS'],
  ];
  for (const [name, answer, code] of answers) {
    it(`${name}: ${code ?? 'resolves'}`, async () => {
      const hook = opened();
      const tap = hook.unlockWithBiometric();
      native.last().answer(answer);
      if (code === null) await tap;
      else {
        const refusal = await refusalOf(tap);
        assert.equal(refusal.code, code);
        if (!refusal.hint) assert.equal(refusal.recoverable, false);
      }
    });
  }

  it('one that never comes ends after 10 s where nobody is asked, and is taken back', async () => {
    clock = new Clock();
    const hook = opened();
    const tap = follow(hook.unlockWithPassword('000000'));
    await clock.advance(9_999);
    assert.equal(tap.ended, 'no');
    await clock.advance(1);
    assert.equal(tap.error.code, 'NO_ANSWER');
    assert.deepEqual(native.cancelled, [native.last().ticket]);
    // The next one is another.
    const next = follow(hook.unlockWithPassword('000000'));
    native.last().answer({ error: null });
    await settle();
    assert.equal(next.ended, 'resolved');
    assert.equal(clock.pending, 0);
  });

  it('one that comes later than that changes nothing', async () => {
    clock = new Clock();
    const hook = opened();
    const tap = follow(hook.unlockWithPassword('000000'));
    const late = native.last();
    await clock.advance(10_000);
    late.answer({ error: null });
    await settle();
    assert.deepEqual([tap.ended, tap.error.code], ['rejected', 'NO_ANSWER']);
  });

  it('a second answer is not heard', async () => {
    const hook = opened();
    const tap = follow(hook.unlockWithBiometric());
    native.last().answer({ error: { code: 'ERR-107-030', message: 'm', hint: 'h', recoverable: true } });
    native.last().answer({ error: null });
    await settle();
    assert.equal(tap.error.code, 'ERR-107-030');
  });

  it('an owner who is asked has all the time there is, and 10 s from when nobody is', async () => {
    clock = new Clock();
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-secret-withSensor') });
    const hook = mount(thumbturn.useAppUnlock);
    const tap = follow(hook.latest.unlockWithBiometric());
    await clock.advance(9_000);
    native.asks = true;
    await clock.advance(60_000);
    assert.equal(tap.ended, 'no');
    native.asks = false;
    await clock.advance(9_000);
    assert.equal(tap.ended, 'no');
    await clock.advance(1_000);
    assert.equal(tap.error.code, 'NO_ANSWER');
    assert.deepEqual(native.cancelled, [native.last().ticket]);
    hook.unmount();
  });

  it('a native half that stays busy and asks nobody ends after 10 s, whatever its screen says', async () => {
    clock = new Clock();
    const hook = opened();
    const tap = follow(hook.unlockWithBiometric());
    act(() => native.showScreens({ unlock: { ...sample('unlock-prompt'), isBusy: true } }));
    await clock.advance(10_000);
    assert.equal(tap.error.code, 'NO_ANSWER');
  });

  it('one that fails to say whether it asks asks nobody, and one that has no such function is waited for', async () => {
    clock = new Clock();
    const hook = opened();
    native.isAsking = () => {
      throw new Error('gone');
    };
    const tap = follow(hook.lock());
    await clock.advance(10_000);
    assert.equal(tap.error.code, 'NO_ANSWER');
    native.isAsking = undefined as unknown as () => boolean;
    const other = follow(hook.lock());
    await clock.advance(600_000);
    assert.equal(other.ended, 'no');
    native.last().answer({ error: null });
    await settle();
    assert.equal(other.ended, 'resolved');
  });

  it('a native half that dies ends the promise, and says nothing of what it was given', async () => {
    const hook = opened();
    const tap = hook.unlockWithPassword('493817');
    native.last().fail(new Error('send(1, 493817) failed'));
    const refusal = await refusalOf(tap);
    assert.equal(refusal.code, 'NO_ANSWER');
    assert.doesNotMatch(JSON.stringify([refusal.message, refusal.stack, { ...refusal }]), /493817/);
  });

  it('after the vault was closed each call rejects with a code', async () => {
    const hook = opened();
    const closed = { code: 'HOST_CLOSED', hint: 'Open the vault again.', message: 'The vault was closed.', recoverable: false };
    act(() => native.showScreens({}));
    for (const call of [hook.unlockWithBiometric, hook.lock, () => hook.unlockWithPassword('000000')]) {
      const tap = call();
      native.last().answer({ error: closed });
      assert.equal((await refusalOf(tap)).code, 'HOST_CLOSED');
    }
    const after = mount(thumbturn.useAppUnlock);
    assert.deepEqual([after.latest.state, after.latest.screen.name], ['LOCKED', 'opening']);
    after.unmount();
  });
});

describe('OwnerSecret', () => {
  it('asks in the argument shapes of setGenericPassword and getGenericPassword', async () => {
    opened();
    const { OwnerSecret } = thumbturn;
    const set = OwnerSecret.set('token', 'a-value', {
      accessControl: 'BiometryCurrentSet',
      accessible: 'AccessibleWhenUnlockedThisDeviceOnly',
      authenticationPrompt: { title: 'Keep it', cancel: 'No' },
    });
    assert.deepEqual(JSON.parse(native.last().action), {
      call: 'set', name: 'token', prompt: { cancel: 'No', reason: 'Keep it' }, protection: 'currentBiometrics',
    });
    assert.equal(native.last().secret, 'a-value');
    native.last().answer({ error: null });
    assert.equal(await set, undefined);
    const got = OwnerSecret.get('token', { authenticationPrompt: 'Show it' });
    assert.deepEqual(JSON.parse(native.last().action), {
      call: 'get', name: 'token', prompt: { cancel: '', reason: 'Show it' }, protection: 'ownerPresence',
    });
    native.last().answer(bytes('a-välue \u{1F511}'));
    assert.deepEqual(await got, { username: 'token', password: 'a-välue \u{1F511}' });
    const removed = OwnerSecret.remove('token');
    assert.deepEqual(JSON.parse(native.last().action), { call: 'remove', name: 'token' });
    native.last().answer({ error: null });
    await removed;
  });

  it('without an option it is behind the owner', () => {
    opened();
    void thumbturn.OwnerSecret.set('token', 'a-value').catch(() => undefined);
    assert.equal(JSON.parse(native.last().action).protection, 'ownerPresence');
    native.last().answer({ error: null });
  });

  it('two sets are two, and two reads of one are one prompt', async () => {
    opened();
    const { OwnerSecret } = thumbturn;
    const sets = [OwnerSecret.set('token', 'a'), OwnerSecret.set('token', 'b')];
    assert.deepEqual(native.sent.map((sent) => sent.secret), ['a', 'b']);
    for (const sent of native.sent) sent.answer({ error: null });
    await Promise.all(sets);
    const reads = [OwnerSecret.get('token'), OwnerSecret.get('token')];
    assert.equal(native.sent.length, 3);
    const found = bytes('b');
    native.last().answer(found);
    assert.deepEqual((await Promise.all(reads)).map((read) => read.password), ['b', 'b']);
    assert.deepEqual([...found], [0]);
  });

  it('what native found is bytes, never a member of its JSON, and they are wiped once they were read', async () => {
    opened();
    const { OwnerSecret } = thumbturn;
    for (const answer of [{ error: null, secret: 'a-value' }, { error: null }, 'a-value']) {
      const got = OwnerSecret.get('token');
      native.last().answer(answer);
      assert.equal((await refusalOf(got)).code, 'NATIVE_DIFFERS');
    }
    const got = OwnerSecret.get('token');
    const found = bytes('a-value');
    native.last().answer(found);
    assert.equal((await got).password, 'a-value');
    assert.deepEqual(new Set(found), new Set([0]));
    // Where nothing was to be found, bytes are no answer.
    for (const call of [OwnerSecret.set('token', 'a'), OwnerSecret.remove('token')]) {
      native.last().answer(bytes('a-value'));
      native.sent[native.sent.length - 2]!.answer(bytes('a-value'));
      assert.equal((await refusalOf(call)).code, 'NATIVE_DIFFERS');
    }
  });

  it('bytes go in and come out as they are, each reader has its own, and they are no text', async () => {
    opened();
    const { OwnerSecret } = thumbturn;
    const key = new Uint8Array(32).fill(0xff);
    const set = OwnerSecret.set('key', key);
    assert.equal(native.last().secret, key);
    native.last().answer({ error: null });
    await set;
    const reads = [OwnerSecret.getBytes('key', { accessControl: 'BiometryCurrentSet' }), OwnerSecret.getBytes('key')];
    assert.deepEqual(native.sent.slice(-2).map((sent) => JSON.parse(sent.action).protection), ['currentBiometrics', 'ownerPresence']);
    for (const sent of native.sent.slice(-2)) sent.answer(key.slice());
    const [one, other] = (await Promise.all(reads)) as [Uint8Array, Uint8Array];
    one.fill(0);
    assert.deepEqual([...other], [...key]);
    const text = OwnerSecret.get('key');
    const given = key.slice();
    native.last().answer(given);
    assert.equal((await refusalOf(text)).code, 'ARGUMENT_WRONG');
    assert.deepEqual(new Set(given), new Set([0]));
    const calls = native.calls.length;
    assert.equal((await refusalOf(OwnerSecret.set('key', new Uint8Array(4097)))).code, 'ERR-TT-307');
    assert.equal((await refusalOf(OwnerSecret.getBytes('../key'))).code, 'ARGUMENT_WRONG');
    // Bytes are a secret here alone.
    const { unlockWithPassword } = mount(thumbturn.useAppUnlock).latest;
    assert.equal((await refusalOf(unlockWithPassword(key as unknown as string))).code, 'ARGUMENT_WRONG');
    assert.equal(native.calls.length, calls);
  });

  it("takes the entry of a field of its own alone, and no vault's method takes that", async () => {
    const hook = opened();
    const { OwnerSecret } = thumbturn;
    const pin = typed(7, 6);
    const own = typed(8, 6, 'ownerSecret');
    const calls = native.calls.length;
    assert.equal((await refusalOf(OwnerSecret.set('token', pin))).code, 'ARGUMENT_WRONG');
    assert.equal((await refusalOf(hook.unlockWithPassword(own))).code, 'ARGUMENT_WRONG');
    assert.equal(native.calls.length, calls);
    // A refused one is not used up.
    const taps = [hook.unlockWithPassword(pin), OwnerSecret.set('token', own)];
    assert.deepEqual(native.sent.slice(-2).map((sent) => sent.secret), [7, 8]);
    for (const sent of native.sent) sent.answer({ error: null });
    await Promise.all(taps);
  });

  const wrong: [string, unknown[]][] = [
    ['no name', [undefined, 'a']],
    ['an empty name', ['', 'a']],
    ['a name that is a path', ['../vault', 'a']],
    ['an option that would weaken it', ['token', 'a', { accessible: 'AccessibleAlways' }]],
    ['a protection that is not offered', ['token', 'a', { accessControl: 'ApplicationPassword' }]],
    ['a protection that is no text', ['token', 'a', { accessControl: 7 }]],
    ['an option of another library', ['token', 'a', { storage: 'KeystoreAESGCM' }]],
    ['options that are none', ['token', 'a', 7]],
    ['a prompt that is none', ['token', 'a', { authenticationPrompt: { title: 7 } }]],
    ['a prompt that is a number', ['token', 'a', { authenticationPrompt: 7 }]],
  ];
  for (const [name, words] of wrong) {
    it(`${name} is refused before native is asked`, async () => {
      opened();
      const calls = native.calls.length;
      const { set, get, remove } = thumbturn.OwnerSecret as any;
      assert.equal((await refusalOf(set(...words))).code, 'ARGUMENT_WRONG');
      if (words.length > 2) assert.equal((await refusalOf(get('token', words[2]))).code, 'ARGUMENT_WRONG');
      else assert.equal((await refusalOf(remove(words[0]))).code, 'ARGUMENT_WRONG');
      assert.equal(native.calls.length, calls);
    });
  }

  it('a value that is none is refused', async () => {
    opened();
    assert.equal((await refusalOf(thumbturn.OwnerSecret.set('token', undefined as unknown as string))).code, 'SECRET_MISSING');
  });

  it('what is kept behind less than was asked for is a refusal of its own', async () => {
    opened();
    const got = thumbturn.OwnerSecret.get('token', { accessControl: 'BiometryCurrentSet' });
    assert.equal(JSON.parse(native.last().action).protection, 'currentBiometrics');
    native.last().answer({ error: { code: 'PROTECTION_WEAKER', hint: 'h', message: 'm', recoverable: false } });
    assert.equal((await refusalOf(got)).code, 'PROTECTION_WEAKER');
  });

  it('each call ends after 10 s where nobody is asked, waits for its owner, and what comes late is wiped', async () => {
    clock = new Clock();
    opened();
    const { OwnerSecret } = thumbturn;
    const calls = [
      () => OwnerSecret.set('token', 'a-value'), () => OwnerSecret.get('token'), () => OwnerSecret.getBytes('token'),
      () => OwnerSecret.remove('token'), () => thumbturn.withDerivedKey('a', () => undefined),
    ];
    for (const call of calls) {
      const ended = follow(call());
      await clock.advance(9_000);
      native.asks = true;
      await clock.advance(60_000);
      native.asks = false;
      await clock.advance(9_000);
      assert.equal(ended.ended, 'no');
      await clock.advance(1_000);
      assert.equal(ended.error.code, 'NO_ANSWER');
      const late = bytes('a-value');
      native.last().answer(late);
      await settle();
      assert.deepEqual(new Set(late), new Set([0]));
    }
    assert.equal(clock.pending, 0);
  });
});

describe('a derived key', () => {
  it('is lent for a label, and wiped when its borrower ends or throws', async () => {
    opened();
    const key = new Uint8Array(32).fill(7);
    const lent = thumbturn.withDerivedKey('com.example/settings', async (bytes) => [bytes, [...bytes]] as const);
    assert.equal(native.last().action, 'com.example/settings');
    native.last().answer(key);
    const [bytes, copy] = await lent;
    assert.equal(bytes, key);
    assert.deepEqual([copy.length, new Set(copy)], [32, new Set([7])]);
    assert.deepEqual(new Set(key), new Set([0]));
    const second = new Uint8Array(32).fill(7);
    const failed = thumbturn.withDerivedKey('com.example/settings', () => {
      throw new Error('its own');
    });
    native.last().answer(second);
    assert.equal((await refusalOf(failed)).message, 'its own');
    assert.deepEqual(new Set(second), new Set([0]));
  });

  it('is refused as native refuses it, and where native gives another thing', async () => {
    opened();
    const { withDerivedKey } = thumbturn;
    let borrowed = 0;
    const answers: [unknown, string][] = [
      [{ error: { code: 'ERR-TT-104', hint: 'h', message: 'm', recoverable: true } }, 'ERR-TT-104'],
      [{ error: null }, 'NATIVE_DIFFERS'],
      [new Uint8Array(31), 'NATIVE_DIFFERS'],
      ['7'.repeat(32), 'NATIVE_DIFFERS'],
    ];
    for (const [answer, code] of answers) {
      const lent = withDerivedKey('a', () => void borrowed++);
      native.last().answer(answer);
      assert.equal((await refusalOf(lent)).code, code);
    }
    const calls = native.calls.length;
    for (const label of ['', 'a'.repeat(65), 'é', 'a\n', undefined, 7]) {
      assert.equal((await refusalOf(withDerivedKey(label as string, () => void borrowed++))).code, 'ARGUMENT_WRONG');
    }
    assert.equal((await refusalOf(withDerivedKey('a', undefined as unknown as () => void))).code, 'ARGUMENT_WRONG');
    assert.deepEqual([borrowed, native.calls.length], [0, calls]);
  });
});

describe('reasons', () => {
  it('a PIN that is given as the reason is refused before native is asked, and so is an entry', async () => {
    opened();
    const { disable } = mount(thumbturn.useBiometricSettings).latest;
    const calls = native.calls.length;
    for (const reason of ['123456', ' 4938 ', '493-817', '٤٩٣٨١٧', 493_817, typed(7, 6), ['no longer wanted']]) {
      const refusal = await refusalOf(disable(reason as string));
      assert.equal(refusal.code, 'REASON_WRONG');
      assert.equal(refusal.message, 'A reason is words: the PIN or password goes second.');
    }
    assert.equal(native.calls.length, calls);
    for (const reason of [undefined, null, '', 'no longer wanted', 'perdu 1 doigt', '不要']) {
      const tap = disable(reason as string, '493817');
      assert.equal(native.last().secret, '493817');
      native.last().answer({ error: null });
      await tap;
    }
  });
});

describe('a second open', () => {
  it('shows nothing of the former vault until the new one speaks', () => {
    thumbturn.openVault();
    native.showScreens({ unlock: sample('unlock-content') });
    const hook = mount(thumbturn.useAppUnlock);
    assert.equal(hook.latest.state, 'UNLOCKED');
    native.open = () => void (native.value = null);
    act(() => thumbturn.openVault({ policy: 'pd107' }));
    assert.deepEqual([hook.latest.state, hook.latest.screen.name, hook.latest.isCovered], ['LOCKED', 'opening', true]);
    act(() => native.showScreens({ unlock: sample('unlock-secret') }));
    assert.equal(hook.latest.screen.name, 'secret');
    hook.unmount();
  });
});

describe('views', () => {
  it('the field is told its kind, and what else a view takes', () => {
    opened();
    const tree = show(createElement(thumbturn.SecretField, { onEntry: () => undefined, kind: 'password', testID: 'field' }));
    const { onEntry, ...props } = tree.root.findByType('ThumbturnSecretField').props;
    assert.deepEqual(props, { kind: 'password', testID: 'field', use: 'vault' });
    assert.equal(typeof onEntry, 'function');
  });

  it('a secret that an action gave goes to its native view as a number, and nothing else is one', async () => {
    opened();
    const { send } = mount(() => thumbturn.useScreen('wallets')).latest;
    const number = (secret: unknown): unknown => {
      const tree = show(createElement(thumbturn.SecretText, { secret: secret as GivenSecret, testID: 'words' }));
      const { testID, ...props } = tree.root.findByType('ThumbturnSecretText').props;
      assert.equal(testID, 'words');
      return props['number'];
    };
    const given = send({ name: 'export', wallet: 'w' });
    native.last().answer({ error: null, given: 12 });
    const { secret, ...others } = await given;
    assert(secret instanceof thumbturn.GivenSecret);
    assert.deepEqual([number(secret), { ...secret }, others], [12, {}, {}]);
    // An entry is none, nor a number, and what is given is no entry.
    for (const none of [undefined, null, 12, {}, typed(12, 6)]) assert.equal(number(none), 0);
    const { unlockWithPassword } = mount(thumbturn.useAppUnlock).latest;
    assert.equal((await refusalOf(unlockWithPassword(secret as any))).code, 'ARGUMENT_WRONG');
    assert.equal((await refusalOf(thumbturn.OwnerSecret.set('token', secret as any))).code, 'ARGUMENT_WRONG');
    // A secret in native's JSON, as an older half may have it, is not handed on.
    for (const answer of [{ error: null, secret: 'legal winner' }, { error: null, given: 'legal winner' }, { error: null, given: 0.5 }]) {
      const older = send({ name: 'export', wallet: 'w' });
      native.last().answer(answer);
      assert.deepEqual(await older, {});
    }
  });

  it('a field whose listener is another keeps its native listener', () => {
    opened();
    const heard: string[] = [];
    const tree = show(createElement(thumbturn.SecretField, { onEntry: () => heard.push('first') }));
    const { onEntry } = tree.root.findByType('ThumbturnSecretField').props;
    act(() => tree.update(createElement(thumbturn.SecretField, { onEntry: () => heard.push('second') })));
    assert.equal(tree.root.findByType('ThumbturnSecretField').props['onEntry'], onEntry);
    onEntry({ nativeEvent: { handle: 1, length: 1 } });
    assert.deepEqual(heard, ['second']);
  });

  it('the cover has what it covers in it', () => {
    opened();
    const tree = show(createElement(thumbturn.VaultCover, { style: { flex: 1 }, children: 'content' }));
    assert.deepEqual(tree.toJSON(), { type: 'ThumbturnCover', props: { style: { flex: 1 } }, children: ['content'] });
  });
});
