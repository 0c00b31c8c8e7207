import assert from 'node:assert/strict';
import type { VaultOptions } from '@thumbturn/react-native';
import { Phone } from './phone';
import { Mounted, Thumbturn, follow, listenToConsole, load, mount, shownBy, unlockOf } from './support';

// The app of the test that runs: the hooks over the real library, with its models and its simulated device in a process of
// their own.

export const pin = '493817';
export const wrongPIN = '571923';
export const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

type Unlock = ReturnType<Thumbturn['useAppUnlock']>;

export let phone: Phone;
export let thumbturn: Thumbturn;
export let unlock: Mounted<Unlock>;
let written: ReturnType<typeof listenToConsole>;

/** Starts the app on a new phone; with an account where it has a service. */
export function startApp(service?: string): void {
  phone = new Phone({ service });
  thumbturn = load(phone);
  written = listenToConsole();
}

/** Ends it, and expects that nothing was written to the console, and none of these to any line. */
export async function endApp(secrets: readonly string[]): Promise<void> {
  unlock?.unmount();
  await phone.end();
  written.stop();
  assert.deepEqual(written.lines, []);
  for (const line of phone.lines) for (const secret of secrets) assert(!line.includes(secret));
}

/** Opens the vault, and mounts the hook. */
export function openApp(options: VaultOptions = { secret: { kind: 'pin', length: 6 } }): void {
  thumbturn.openVault(options);
  mountUnlock();
}

export function mountUnlock(): void {
  unlock = mount(thumbturn.useAppUnlock);
}

/** Waits until the hook shows this: all that the phone does, and nothing else. */
export async function shown(test: (fields: Unlock) => boolean): Promise<void> {
  await phone.until(() => test(unlock.latest));
  assert.deepEqual(shownBy(unlock.latest), unlockOf(phone.state.host.screens.unlock));
}

export async function lock(): Promise<void> {
  await unlock.latest.lock();
  await shown((fields) => fields.state === 'LOCKED' && !fields.isBusy);
}

/** Taps for the prompt, and touches the sensor once it is up. */
export async function touch(...touches: string[]): Promise<ReturnType<typeof follow>> {
  const tap = follow(unlock.latest.unlockWithBiometric());
  for (const each of touches) {
    await phone.until((state) => state.world.prompt);
    await phone.world(`finger ${each}`);
  }
  await phone.until((state) => !state.world.prompt && !state.host.screens.unlock.isBusy);
  while (tap.ended === 'no') await new Promise<void>((resolve) => setTimeout(resolve, 5));
  return tap;
}
