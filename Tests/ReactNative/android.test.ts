import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { endApp, lock, openApp, phone, pin, startApp, thumbturn, words, wrongPIN } from './app';
import { refusalOf } from './support';

// .holds("B-11", "A37")
// What Android's module has beyond the hooks, which real-library.test.ts asks of it too: native fields and words, reloads, and
// what it refuses. Over the stand-ins.

beforeEach(async () => {
  startApp();
  await phone.make(pin, true, words);
  openApp();
});

// The tests' own lines say what is typed and drawn.
afterEach(() => endApp([]));

const until = (state: string): Promise<void> =>
  phone.until(({ host: { screens } }) => screens.unlock.state === state && !screens.unlock.isBusy);

/** Fails where native does not answer: what a cancelled call has to do. */
async function answered(call: Promise<any>): Promise<any> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((_, refuse) => (timer = setTimeout(() => refuse(new Error('no answer')), 8_000)));
  const answer = await Promise.race([call, late]);
  clearTimeout(timer);
  return answer;
}

/** Sends an action with what a field keeps under this number. */
const unlockWith = async (handle: number): Promise<any> =>
  JSON.parse(await phone.send(0, JSON.stringify({ name: 'submitSecret', screen: 'unlock', secret: 'taken' }), handle)).error;

describe('the native field', () => {
  beforeEach(lock);

  it('shows dots, and the keyboard of digits finds and learns nothing', async () => {
    const told = await phone.order('type', '49<9');
    assert.equal(told.length, 2);
    assert(told.handle > 0);
    assert.equal(told.dots, 2);
    assert.deepEqual([told.found, told.selected, told.isKeyboardUp], ['', false, true]);
    // TYPE_CLASS_NUMBER and TYPE_NUMBER_VARIATION_PASSWORD; IME_FLAG_NO_PERSONALIZED_LEARNING; IMPORTANT_FOR_AUTOFILL_NO
    assert.deepEqual([told.inputType, told.imeOptions & 0x1000000, told.autofill], [18, 0x1000000, 2]);
  });

  it('what was typed opens the vault, once, and is in no line', async () => {
    const { handle } = await phone.order('type', '571');
    const wrong = await phone.order('type', '923');
    // The number of three digits went with the fourth.
    assert.equal((await unlockWith(handle)).code, 'SECRET_GONE');
    assert.equal((await unlockWith(wrong.handle)).code, 'ERR-107-040');
    assert.equal((await unlockWith(wrong.handle)).code, 'SECRET_GONE');
    const right = await phone.order('type', `<<<<<<${pin}`);
    assert.equal(right.length, 6);
    assert.equal(await unlockWith(right.handle), null);
    await until('UNLOCKED');
    const beside = phone.lines.filter((line) => !line.startsWith('{"type"'));
    for (const line of beside) assert(!line.includes(pin) && !line.includes(wrongPIN));
  });

  it('it is wiped when its window is left', async () => {
    const { handle } = await phone.order('type', pin);
    assert.deepEqual(await phone.order('leave', true), { handle: 0, length: 0 });
    assert.equal((await unlockWith(handle)).code, 'SECRET_GONE');
  });

  it('what was typed for the app opens no vault', async () => {
    const { handle } = await phone.order('type', pin, { use: 'ownerSecret' });
    assert(handle > 0);
    assert.equal((await unlockWith(handle)).code, 'SECRET_GONE');
  });
});

describe('a secret that an action gives', () => {
  /** Asks for the words of the wallet, and returns the number by which native knows them. */
  async function exported(): Promise<number> {
    const wallet = phone.state.host.screens.wallets.list[0].id;
    const { error, given } = await phone.act({ screen: 'wallets', name: 'export', wallet, secret: 'taken' }, pin);
    assert.equal(error, null);
    assert(given > 0);
    return given;
  }

  it('is drawn natively, once, and is in no line', async () => {
    const given = await exported();
    const { drawn } = await phone.order('show', given);
    assert.equal(drawn.replace(/\s+/g, ' '), words);
    assert(drawn.split('\n').length > 1);
    assert.equal((await phone.order('show', given, { again: true })).drawn, '');
    const beside = phone.lines.filter((line) => !line.includes('"drawn"'));
    for (const line of beside) assert(!line.includes(words));
  });

  it('goes from the screen with the session', async () => {
    await phone.order('show', await exported());
    await lock();
    assert.equal((await phone.order('show', 0)).drawn, '');
  });

  it('goes unseen when the app is left', async () => {
    const given = await exported();
    await phone.world('background');
    await phone.world('foreground');
    assert.equal((await phone.order('show', given)).drawn, '');
  });

  it('goes unseen with the session', async () => {
    const given = await exported();
    await lock();
    assert.equal((await phone.order('show', given)).drawn, '');
  });
});

describe('the module', () => {
  it('refuses what Android has not yet, in one sentence', async () => {
    const refusal = await refusalOf(thumbturn.OwnerSecret.remove('token'));
    assert.deepEqual([refusal.code, refusal.recoverable], ['NOT_ON_ANDROID', false]);
    assert.equal((await phone.order('derive', 'com.example/settings')).error.code, 'NOT_ON_ANDROID');
  });

  it('another configuration opens the vault anew, and one that is none says so, in place of a value', async () => {
    const options = (length: number): string => JSON.stringify({ language: 'en', policy: 'wallet', secret: { kind: 'pin', length } });
    assert.equal((await phone.order('open', options(99))).isFaulted, true);
    assert.equal((await phone.act({ name: 'lock', screen: 'unlock' })).error.code, 'HOST_NOT_OPEN');
    assert.equal((await phone.order('open', options(8))).isFaulted, false);
    await phone.until(({ host }) => host.secret.length === 8 && host.screens.unlock?.state === 'PROMPTING_BIOMETRIC');
    await phone.until((state) => state.world.prompt);
    await phone.world('finger match');
    await until('UNLOCKED');
  });

  it('another configuration in the middle of a prompt ends it, and opens once the former vault is closed', async () => {
    await lock();
    const call = phone.act({ name: 'unlockWithBiometric', screen: 'unlock' });
    await phone.until((state) => state.world.prompt);
    await phone.act({ name: 'language', screen: 'app', language: 'fr' });
    assert.notEqual((await answered(call)).error, null);
    await phone.until((state) => state.host.language === 'fr' && state.world.prompt);
    await phone.world('finger match');
    await until('UNLOCKED');
  });

  it('another configuration in the middle of a change opens once the device is asked nothing more for the former vault', async () => {
    await lock();
    await phone.order('slow', 8);
    const call = phone.act({ name: 'submitSecret', screen: 'unlock', secret: 'taken' }, pin);
    await phone.order('calls', 2);
    await phone.act({ name: 'language', screen: 'app', language: 'fr' });
    await answered(call);
    await phone.until((state) => state.host.language === 'fr' && state.world.prompt);
    assert.deepEqual(await phone.order('calls', 0), { areMixed: false, vaults: 2 });
  });

  it('a reload ends the prompt, and leaves the vault as it is', async () => {
    await phone.order('reload', true);
    assert.equal(phone.state.host.screens.unlock.state, 'UNLOCKED');
    await lock();
    const call = phone.act({ name: 'unlockWithBiometric', screen: 'unlock' });
    await phone.until((state) => state.world.prompt);
    assert.equal((await phone.order('isAsking', true)).isAsking, true);
    await phone.order('reload', true);
    assert.notEqual((await answered(call)).error, null);
    await phone.until((state) => !state.world.prompt && !state.host.screens.unlock.isBusy);
    assert.equal((await phone.order('isAsking', true)).isAsking, false);
    assert.equal(phone.state.host.screens.unlock.failedAttempts, 0);
  });

  it("ends its prompt also where React's context was gone before it", async () => {
    await lock();
    const call = phone.act({ name: 'unlockWithBiometric', screen: 'unlock' });
    await phone.until((state) => state.world.prompt);
    await phone.order('destroy', true);
    assert.notEqual((await answered(call)).error, null);
    await phone.until((state) => !state.world.prompt);
  });

  it('a cancelled call takes its prompt away, also one that was cancelled before it came', async () => {
    await lock();
    for (const isEarly of [false, true]) {
      if (isEarly) await phone.order('cancelNext', 0);
      const call = phone.act({ name: 'unlockWithBiometric', screen: 'unlock' });
      if (!isEarly) {
        await phone.until((state) => state.world.prompt);
        await phone.order('cancelLast', 0);
      }
      assert.notEqual((await answered(call)).error, null);
      await phone.until((state) => !state.world.prompt && !state.host.screens.unlock.isBusy);
    }
  });
});
