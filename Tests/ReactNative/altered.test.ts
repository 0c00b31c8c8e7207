import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pin, words, wrongPIN } from './app';
import { Phone } from './phone';
import { load, mount, root } from './support';

// .holds("C13")
// A script that was altered, before the real library: it sends what it likes, shows what it likes and replays what it heard. Without
// a finger or the PIN no secret comes out, in any state of the walk.

let phone: Phone;
let wallet: string;

beforeEach(async () => {
  phone = new Phone();
  await phone.make(pin, true, words);
  wallet = phone.state.host.screens.wallets.list[0].id;
});

afterEach(() => phone.end());

/** Every action of every screen, as the samples have them, and those of wallets and trail. */
function actions(): Record<string, unknown>[] {
  const folder = join(root, 'Tests', 'Vectors', 'screens');
  const frozen = readdirSync(folder)
    .filter((name) => name.startsWith('action-'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>);
  assert(frozen.length > 30);
  return [
    ...frozen,
    ...['export', 'delete'].flatMap((name) => [
      { screen: 'wallets', name, wallet },
      { screen: 'wallets', name, wallet, secret: 'taken' },
    ]),
    { screen: 'wallets', name: 'create', wallet: 'another' },
    { screen: 'wallets', name: 'rename', wallet, to: 'mine' },
    { screen: 'words', name: 'show', wallet },
    { screen: 'words', name: 'submitSecret', secret: 'taken' },
    { screen: 'words', name: 'showWords' },
    { screen: 'words', name: 'answer', secret: 'taken' },
    { screen: 'backup', name: 'start' },
    { screen: 'backup', name: 'submitSecret', secret: 'taken' },
    { screen: 'trail', name: 'export', secret: 'taken' },
    { screen: 'app', name: 'recover' },
    { screen: 'recover', name: 'submitSecret', secret: 'taken' },
    { screen: 'recover', name: 'useRecoveryKey' },
    { screen: 'recover', name: 'goOn' },
    { screen: 'app', name: 'endRecovery' },
    // What the owner types stands in the app's own words: whoever erases gets nothing.
  ].filter((action) => action['typed'] === undefined);
}

/** Sends all of them, as the owner who is not there would never; whatever prompt comes up is dismissed. */
async function sendEverything(): Promise<void> {
  for (const action of actions()) {
    await phone.act(action, action['secret'] ? wrongPIN : undefined);
    await dismiss();
  }
}

async function dismiss(): Promise<void> {
  while (phone.state.world.prompt) {
    await phone.world('finger cancel');
    await phone.until((state) => !state.world.prompt);
  }
}

async function lock(): Promise<void> {
  await phone.act({ screen: 'unlock', name: 'lock' });
  await phone.until((state) => state.host.screens.unlock.scope === null && !state.host.screens.unlock.isBusy);
}

async function tryFinger(touch: string): Promise<void> {
  await phone.act({ screen: 'unlock', name: 'unlockWithBiometric' });
  await phone.until((state) => state.world.prompt || !state.host.screens.unlock.isBusy);
  if (phone.state.world.prompt) await phone.world(`finger ${touch}`);
  await phone.until((state) => !state.world.prompt && !state.host.screens.unlock.isBusy);
}

const walk: [string, () => Promise<void>][] = [
  ['locked', async () => undefined],
  ['after three wrong fingers', async () => {
    for (const _ of [1, 2, 3]) await tryFinger('mismatch');
  }],
  ['revoked by an enrolment', async () => {
    await phone.world('enroll');
    await tryFinger('match');
  }],
  ['after 31 minutes', () => phone.world('advance 31m')],
  ['after a reboot', async () => {
    await phone.world('reboot');
    await phone.startAgain();
  }],
  ['during the wait after wrong PINs', async () => {
    for (let count = 0; count < 5; count++) await phone.act({ screen: 'unlock', name: 'submitSecret', secret: 'taken' }, wrongPIN);
    await phone.until((state) => state.host.screens.unlock.screen.name === 'wait');
  }],
  ['in the background', () => phone.world('background')],
  ['while the device is locked', () => phone.world('lock-device')],
];

describe('JavaScript decides nothing', () => {
  for (const [name, go] of walk) {
    it(`${name}: every action from every screen, and no secret comes out without finger or PIN`, async () => {
      await lock();
      await go();
      const heard = phone.lines.length;
      await sendEverything();
      const later = phone.lines.slice(heard);
      const states = later.filter((line) => line.startsWith('{"state"')).map((line) => JSON.parse(line).state);
      assert.deepEqual(phone.secrets, []);
      for (const { unlock, wallets } of states.map(({ host }) => host.screens).filter((screens) => screens.unlock)) {
        assert.equal(unlock.scope, null);
        assert.notEqual(unlock.state, 'UNLOCKED');
        assert.deepEqual(wallets?.list ?? [], []);
      }
      const told = later.filter((line) => !line.startsWith('{"act"')).join();
      assert(!told.includes('legal winner') && !told.includes('family-treasure'));

      // Nothing was lost, and there was something to come out.
      for (const event of ['foreground', 'unlock-device', 'advance 1d']) await phone.world(event);
      await phone.act({ screen: 'unlock', name: 'submitSecret', secret: 'taken' }, pin);
      // A return to the front prompts by itself, and the PIN waits behind it.
      await dismiss();
      await phone.until(({ host: { screens } }) => screens.unlock.scope === 'full' && !screens.unlock.isBusy);
      await phone.act({ screen: 'wallets', name: 'export', wallet, secret: 'taken' }, pin);
      assert.deepEqual(phone.secrets, [words]);
    });
  }

  it('states that are faked show what is not there, and open nothing', async () => {
    const open = phone.fields() as string;
    await lock();
    const faked = Object.assign(Object.create(phone), { fields: () => open, send: async () => '{"error":null}' });
    const thumbturn = load(faked);
    thumbturn.openVault();
    const hook = mount(thumbturn.useAppUnlock);
    await hook.latest.unlockWithBiometric();
    assert.equal(hook.latest.state, 'UNLOCKED');
    hook.unmount();
    const { error } = await phone.act({ screen: 'wallets', name: 'export', wallet, secret: 'taken' }, wrongPIN);
    assert(error.code);
    assert.deepEqual(phone.secrets, []);
    assert.equal(phone.state.host.screens.unlock.scope, null);
  });

  it('lines and answers that are replayed open nothing', async () => {
    await phone.act({ screen: 'wallets', name: 'export', wallet, secret: 'taken' }, pin);
    assert.deepEqual(phone.secrets.splice(0), [words]);
    await lock();
    const sent = phone.lines.filter((line) => line.startsWith('{"act"')).map((line) => JSON.parse(line).act);
    for (const action of sent) {
      await phone.act(action, action.secret ? wrongPIN : undefined);
      await dismiss();
    }
    assert.deepEqual(phone.secrets, []);
    assert.equal(phone.state.host.screens.unlock.scope, null);
  });
});
