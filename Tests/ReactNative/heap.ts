// A process of its own: passes a secret on, drops it, collects, and writes what V8's heap holds then. `held` keeps the secret.
import type { Secret } from '@thumbturn/react-native';
import { load, mount, sample, settle, valueOf } from './support';

const [, , how, codes, file] = process.argv as [string, string, string, string, string];

/** The secret is never in this process's words or sources. */
function makeSecret(): string {
  return String.fromCharCode(...codes.split(',').map((code) => Number(code) ^ 1));
}

/** What native finds for an owner: the bytes of the secret. */
function makeBytes(): Uint8Array {
  return Uint8Array.from(codes.split(','), (code) => Number(code) ^ 1);
}

let kept: string | undefined;

async function pass(): Promise<void> {
  const value = valueOf({ unlock: sample('unlock-secret'), biometrics: sample('biometrics-on') });
  let answer = '{"error":null}';
  const thumbturn = load({
    open: () => undefined,
    fields: () => value,
    addListener: () => ({ remove: () => undefined }),
    cancel: () => undefined,
    send: async () => answer,
    isAsking: () => false,
    ownerSecret: async (request: string) => (request.includes('"get"') ? makeBytes() : answer),
  });
  thumbturn.openVault();
  const hook = mount(thumbturn.useAppUnlock);
  const settings = mount(thumbturn.useBiometricSettings);
  const calls: ((secret: Secret) => Promise<unknown>)[] = [
    hook.latest.unlockWithPassword,
    settings.latest.enable,
    (secret) => settings.latest.disable(undefined, secret),
    (secret) => thumbturn.OwnerSecret.set('token', secret),
    () => thumbturn.OwnerSecret.get('token'),
    () => thumbturn.OwnerSecret.getBytes('token'),
  ];
  // The scan is of what was there.
  const { password } = await thumbturn.OwnerSecret.get('token');
  if (password.length !== codes.split(',').length) throw new Error('nothing was read');
  for (answer of ['{"error":null}', '{"error":{"code":"ERR-107-040","message":"m","hint":"h","recoverable":true}}', 'no JSON']) {
    for (const call of calls) await call(makeSecret()).catch(() => undefined);
  }
  if (how === 'held') kept = makeSecret();
  // The components stay mounted: what they keep is looked at too.
  globalThis.theNative = [hook, settings];
}

void pass().then(async () => {
  await settle();
  const { gc } = globalThis as unknown as { gc: () => void };
  for (let round = 0; round < 3; round++) gc();
  require('node:v8').writeHeapSnapshot(file);
  if (how === 'held' && kept === undefined) throw new Error('the control holds nothing');
});
