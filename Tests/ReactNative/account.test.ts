import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { endApp, lock, openApp, phone, shown, startApp, thumbturn, touch, unlock } from './app';
import { Service } from './service';
import { biometricsOf, mount, refusalOf, shownBy } from './support';

// .holds("P-107-03", "C13", "C8", "C9", "F-107-09")
// The hooks over an account's vault: a real `thumbturnd` verifies its password, and its owner has another device.

const password = 'correct horse 41 battery';
const newPassword = 'another staple 73 horse';

let service: Service;
const start = performance.now();

beforeEach(async () => {
  service = new Service();
  startApp(await service.origin);
});
afterEach(async () => {
  await endApp([password, newPassword]);
  await service.end();
});
after(() => console.log(`figure: over an account's vault: ${((performance.now() - start) / 1000).toFixed(1)} s`));

/** Goes from nothing to an account's open vault, as a generic view does: by what the entry offers. */
async function enter(way: 'register' | 'logIn', biometrics: boolean): Promise<void> {
  openApp({ secret: { kind: 'password' } });
  const entry = mount(() => thumbturn.useScreen('accountEntry'));
  const press = async (step: string, wanted: Record<string, string | boolean>, secret?: string): Promise<void> => {
    await phone.until(() => entry.latest.fields?.['step'] === step && entry.latest.fields['isBusy'] === false);
    const offers = entry.latest.fields?.offers ?? [];
    // What the owner types is empty in the offer.
    const offer = offers.find(({ action }) => Object.keys(wanted).every((name) => [wanted[name], ''].includes(action[name] as string)));
    assert(offer, `${step}: ${JSON.stringify(entry.latest.fields)}`);
    await entry.latest.send({ ...offer.action, ...wanted }, secret);
  };
  await press('way', { name: 'choose', way });
  await press('name', { name: 'enterName', account: 'ada' });
  for (const step of way === 'register' ? ['password', 'repeated'] : ['password']) await press(step, { name: 'submitSecret' }, password);
  await press('offer', { name: 'answerOffer', consent: biometrics });
  await shown((fields) => fields.screen.name === 'content' && !fields.isBusy);
  assert.equal(entry.latest.fields, null);
  entry.unmount();
}

/** Has the owner's other device do something. */
async function elsewhere(name: 'changePassword' | 'revoke', secret: string): Promise<void> {
  const { error } = await phone.act({ screen: 'elsewhere', name, secret: 'taken' }, secret);
  assert.equal(error, null);
}

/** Leaves the app and comes back, which asks the service. */
async function comeBack(): Promise<void> {
  await phone.world('background');
  await phone.world('foreground');
}

/** Taps for the prompt, which must not come up. */
async function refusedFinger(): Promise<any> {
  const refusal = await refusalOf(unlock.latest.unlockWithBiometric());
  assert.equal(phone.state.world.prompt, null);
  return refusal;
}

describe("an account's vault", () => {
  it('is made by what the entry offers; a wrong password is refused in the language of the app, and the right one opens', async () => {
    await enter('register', false);
    const { secret } = mount(thumbturn.useVault).latest;
    assert.deepEqual(secret, { kind: 'password', length: null });
    await lock();
    assert.equal(unlock.latest.biometry, undefined);
    await phone.act({ screen: 'app', name: 'language', language: 'fr' });
    const refusal = await refusalOf(unlock.latest.unlockWithPassword(newPassword));
    assert.deepEqual([refusal.code, refusal.message, refusal.recoverable], ['ERR-107-040', 'Impossible de vous authentifier.', true]);
    await shown((fields) => fields.state === 'REQUIRE_PASSWORD' && fields.error?.code === 'ERR-107-040');
    await unlock.latest.unlockWithPassword(password);
    await shown((fields) => fields.scope === 'full' && fields.error === undefined);

    // And without its service.
    await lock();
    await service.end();
    assert.equal((await refusalOf(unlock.latest.unlockWithPassword(password))).code, 'ERR-TT-501');
    await shown((fields) => fields.scope === undefined);
  });

  it('a password that was changed elsewhere revokes biometrics, until the new one enables them again (C8)', async () => {
    await enter('register', true);
    await lock();
    assert.equal(unlock.latest.biometry, 'TOUCH_ID');
    await elsewhere('changePassword', `${password}\n${newPassword}`);
    await comeBack();
    await shown((fields) => fields.state === 'REVOKED' && fields.reason === 'policyEpochOld' && fields.notice?.code === 'ERR-107-080');
    assert.equal((await refusedFinger()).code, 'ERR-107-080');
    assert.equal((await refusalOf(unlock.latest.unlockWithPassword(password))).code, 'ERR-107-040');
    await shown((fields) => fields.state === 'REVOKED');
    await unlock.latest.unlockWithPassword(newPassword);
    await shown((fields) => fields.scope === 'full' && fields.screen.name === 'offer');
    const settings = mount(thumbturn.useBiometricSettings);
    assert.equal(settings.latest.enabled, false);
    await mount(() => thumbturn.useScreen('unlock')).latest.send({ name: 'answerOffer', consent: true });
    await phone.until(() => settings.latest.enabled);
    settings.unmount();
    await lock();
    assert.equal((await touch('match')).ended, 'resolved');
    await shown((fields) => fields.scope === 'full');
  });

  it('a phone that was taken off the list says so, and neither finger nor password opens it', async () => {
    await enter('register', true);
    await lock();
    await elsewhere('revoke', password);
    await comeBack();
    const account = mount(() => thumbturn.useScreen('account'));
    await phone.until(() => account.latest.fields?.['isRemoved'] === true);
    assert.deepEqual(account.latest.fields, phone.state.host.screens.account);
    await shown((fields) => fields.state === 'REVOKED' && fields.biometry === undefined);
    assert.equal((await refusedFinger()).code, 'ERR-107-080');
    assert.equal((await refusalOf(unlock.latest.unlockWithPassword(password))).code, 'ERR-TT-506');
    await shown((fields) => fields.scope === undefined && fields.error?.code === 'ERR-TT-506');
    account.unmount();
  });

  it('a new phone signs in with the password, which its toggle takes too, and then the finger opens (C9)', async () => {
    await enter('register', false);
    await endApp([password]);
    startApp(await service.origin);
    await enter('logIn', false);
    const settings = mount(thumbturn.useBiometricSettings);
    const areShown = (): void => assert.deepEqual(shownBy(settings.latest), biometricsOf(phone.state.host.screens.biometrics));
    assert.equal((await refusalOf(settings.latest.enable(newPassword))).code, 'ERR-107-010');
    assert.equal(settings.latest.enabled, false);
    areShown();
    await settings.latest.enable(password);
    await phone.until(() => settings.latest.enabled && !settings.latest.loading);
    areShown();
    settings.unmount();
    await lock();
    // Without the service, which a finger does not need.
    await service.end();
    assert.equal((await touch('match')).ended, 'resolved');
    await shown((fields) => fields.scope === 'full');
  });
});
