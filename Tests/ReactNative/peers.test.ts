import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { act } from 'react-test-renderer';
import { pin } from './app';
import { Phone } from './phone';
import { FakeNative, follow, load, mount, refusalOf, sample } from './support';

// What other packages do wrong, each by its name.

describe('mistakes of peers', () => {
  it('expo-secure-store: a revoked value is not "no value"', async () => {
    const native = new FakeNative();
    const { OwnerSecret, openVault, useAppUnlock } = load(native);
    openVault();
    const codes = [];
    for (const code of ['ERR-107-060', 'ERR-TT-402']) {
      const read = OwnerSecret.get('token');
      native.last().answer({ error: { code, message: 'm', hint: 'h', recoverable: true } });
      codes.push((await refusalOf(read)).code);
    }
    assert.deepEqual(codes, ['ERR-107-060', 'ERR-TT-402']);
    native.showScreens({ unlock: { ...sample('unlock-secret'), state: 'REVOKED' } });
    const hook = mount(useAppUnlock);
    assert.equal(hook.latest.state, 'REVOKED');
    hook.unmount();
  });

  it("expo-secure-store: no prompt at enabling's write", async () => {
    const phone = new Phone();
    try {
      await phone.make(pin, false);
      const { openVault, useBiometricSettings } = load(phone);
      openVault();
      const settings = mount(useBiometricSettings);
      await act(async () => settings.latest.enable(pin));
      await act(async () => phone.until((state) => state.host.screens.biometrics.enabled));
      assert.equal(settings.latest.enabled, true);
      const prompts = phone.lines.filter((line) => line.startsWith('{"state"') && JSON.parse(line).state.world.prompt !== null);
      assert.deepEqual(prompts, []);
      settings.unmount();
    } finally {
      await phone.end();
    }
  });

  it('react-native-keychain: no key is warmed up, and nobody asked, where the app starts', async () => {
    const phone = new Phone();
    try {
      await phone.make(pin, false);
      await phone.startAgain();
      const sent = phone.lines.filter((line) => line.startsWith('{"act"')).length;
      const { openVault, useAppUnlock, useBiometricSettings } = load(phone);
      openVault();
      const hooks = [mount(useAppUnlock), mount(useBiometricSettings)];
      assert.equal(phone.lines.filter((line) => line.startsWith('{"act"')).length, sent);
      assert.equal(phone.state.world.prompt, null);
      for (const hook of hooks) hook.unmount();
    } finally {
      await phone.end();
    }
  });

  it('react-native-keychain: what is missing is not false', async () => {
    const native = new FakeNative();
    const { OwnerSecret, openVault } = load(native);
    openVault();
    const read = OwnerSecret.get('token');
    native.last().answer({ error: { code: 'ERR-TT-402', message: 'm', hint: 'h', recoverable: true } });
    assert.equal((await refusalOf(read)).code, 'ERR-TT-402');
  });

  it('expo-local-authentication: no boolean unlocks', async () => {
    const native = new FakeNative();
    const { openVault, useAppUnlock } = load(native);
    openVault();
    native.showScreens({ unlock: sample('unlock-secret-withSensor') });
    const hook = mount(useAppUnlock);
    for (const answer of ['true', '{"success":true}', '{"error":null,"state":"UNLOCKED"}']) {
      const tap = follow(hook.latest.unlockWithBiometric());
      await act(async () => {
        native.last().answer(answer);
        while (tap.ended === 'no') await new Promise<void>((resolve) => setImmediate(resolve));
      });
      assert.equal(hook.latest.state, 'LOCKED');
    }
    hook.unmount();
  });
});
