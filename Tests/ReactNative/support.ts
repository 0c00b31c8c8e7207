import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ComponentType, ReactElement, StrictMode, createElement } from 'react';
import { act, create } from 'react-test-renderer';
import type { NativeVault } from '@thumbturn/react-native/build/native';

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

export type Thumbturn = typeof import('@thumbturn/react-native');

/** The repository. */
export const root = join(__dirname, '..', '..', '..');

/** The package as an app finds it at its start, with this native part, or none. */
export function load(native: unknown): Thumbturn {
  globalThis.theNative = native;
  for (const path of Object.keys(require.cache)) if (path.includes('/package/build/')) delete require.cache[path];
  return require('@thumbturn/react-native');
}

/** The screens that have frozen samples. */
export function screens(): string[] {
  const names = readdirSync(join(root, 'Tests', 'Vectors', 'screens')).map((name) => name.split('-')[0] as string);
  return [...new Set(names)].filter((name) => name !== 'action');
}

/** Every frozen sample of a screen, in both languages. */
export function samples(screen: string): { name: string; language: 'en' | 'fr'; fields: Record<string, any> }[] {
  const folder = join(root, 'Tests', 'Vectors', 'screens');
  const names = readdirSync(folder).filter((name) => name.startsWith(`${screen}-`));
  assert(names.length > 0);
  return names.flatMap((name) => {
    const sample = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return (['en', 'fr'] as const).map((language) => ({ name, language, fields: sample[language] }));
  });
}

/** A frozen sample of a screen. */
export function sample(name: string, language: 'en' | 'fr' = 'en'): Record<string, any> {
  return JSON.parse(readFileSync(join(root, 'Tests', 'Vectors', 'screens', `${name}.json`), 'utf8'))[language];
}

/** A value as native writes it. */
export function valueOf(screens: object, language = 'en'): string {
  return JSON.stringify({
    language,
    phrases: { olderCopy: 'ACCEPT', reset: 'RESET' },
    screens,
    secret: { kind: 'pin', length: 6 },
  });
}

/** What a hook shows: without functions, and without what is undefined. */
export const shownBy = (result: object): object => JSON.parse(JSON.stringify(result));

/** Null in native's JSON is left out in the hooks. */
const present = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

const sensors: Record<string, string> = { faceID: 'FACE_ID', touchID: 'TOUCH_ID', none: 'NONE' };

/** What `useAppUnlock` has to show of native's JSON. */
export const unlockOf = (fields: Record<string, any>): object => present({ ...fields, biometry: sensors[fields['biometry']] });

/** What `useBiometricSettings` has to show of native's JSON. */
export const biometricsOf = ({ capability, ...fields }: Record<string, any>): object => ({
  ...present(fields),
  capability: present({ ...capability, biometryType: sensors[capability.biometryType] }),
});

export interface Sent {
  readonly ticket: number;
  readonly action: string;
  readonly secret: string | number | Uint8Array | null;
  answer(json: unknown): void;
  fail(error: unknown): void;
}

/** A native part that does what its test says, and nothing by itself. */
export class FakeNative implements NativeVault {
  readonly calls: string[] = [];
  readonly sent: Sent[] = [];
  readonly cancelled: number[] = [];
  listeners = 0;
  mostListeners = 0;
  value: string | null = null;
  asks = false;
  private readonly heard = new Set<(event: { value: string }) => void>();

  open(config: string): void {
    this.calls.push(`open ${config}`);
  }
  fields(): string | null {
    return this.value;
  }
  send(ticket: number, action: string, secret: string | number | null): Promise<string> {
    return this.ask(ticket, action, secret) as Promise<string>;
  }
  private ask(ticket: number, action: string, secret: string | number | Uint8Array | null): Promise<string | Uint8Array> {
    this.calls.push(`send ${action}`);
    return new Promise((resolve, reject) => {
      this.sent.push({
        ticket,
        action,
        secret,
        answer: (json) => resolve(typeof json === 'string' || json instanceof Uint8Array ? json : JSON.stringify(json)),
        fail: reject,
      });
    });
  }
  cancel(ticket: number): void {
    this.calls.push('cancel');
    this.cancelled.push(ticket);
  }
  isAsking(): boolean {
    return this.asks;
  }
  ownerSecret(request: string, secret: string | number | Uint8Array | null): Promise<string | Uint8Array> {
    return this.ask(0, request, secret);
  }
  derivedKey(label: string): Promise<string | Uint8Array> {
    return this.ask(0, label, null);
  }
  addListener(_: 'onChange', listener: (event: { value: string }) => void): { remove(): void } {
    this.calls.push('addListener');
    const own = (event: { value: string }): void => listener(event);
    this.heard.add(own);
    this.mostListeners = Math.max(this.mostListeners, ++this.listeners);
    return {
      remove: () => {
        this.heard.delete(own);
        this.listeners--;
      },
    };
  }

  /** Shows another value, and tells it. */
  show(value: string): void {
    this.value = value;
    for (const listener of [...this.heard]) listener({ value });
  }
  showScreens(screens: object, language = 'en'): void {
    this.show(valueOf(screens, language));
  }
  last(): Sent {
    const sent = this.sent[this.sent.length - 1];
    assert(sent, 'nothing was sent');
    return sent;
  }
}

export interface Mounted<T> {
  readonly results: T[];
  readonly latest: T;
  readonly renders: number;
  readonly root: object;
  unmount(): void;
}

/** Renders an element, and lets its effects run. */
export function show(element: ReactElement): ReturnType<typeof create> {
  let renderer: ReturnType<typeof create> | undefined;
  act(() => {
    renderer = create(element);
  });
  assert(renderer);
  return renderer;
}

/** Mounts a component that calls a hook. */
export function mount<T>(hook: () => T, isStrict = false): Mounted<T> {
  const results: T[] = [];
  const Component: ComponentType = () => {
    results.push(hook());
    return null;
  };
  const element = createElement(Component);
  const renderer = show(isStrict ? createElement(StrictMode, null, element) : element);
  return {
    results,
    get latest() {
      const last = results[results.length - 1];
      assert(last !== undefined);
      return last as T;
    },
    get renders() {
      return results.length;
    },
    root: renderer.root,
    unmount: () => act(() => renderer.unmount()),
  };
}

/** Lets everything that is under way go on until nothing is. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Collects what is written to the console, instead of writing it. */
export function listenToConsole(): { readonly lines: string[]; stop(): void } {
  const lines: string[] = [];
  const former = { ...console };
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    console[name] = (...words) => void lines.push(words.map(String).join(' '));
  }
  return { lines, stop: () => void Object.assign(console, former) };
}

/** A clock for the package's timers, which moves when a test says so. */
export class Clock {
  private now = 0;
  private count = 0;
  private readonly timers = new Map<number, { at: number; call: () => void }>();
  private readonly former = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };

  constructor() {
    globalThis.setTimeout = (call: () => void, milliseconds: number) => {
      this.timers.set(++this.count, { at: this.now + milliseconds, call });
      return this.count;
    };
    globalThis.clearTimeout = (timer) => void (timer !== undefined && this.timers.delete(timer));
  }

  get pending(): number {
    return this.timers.size;
  }

  async advance(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (;;) {
      const [next] = [...this.timers].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at);
      if (!next) break;
      const [timer, { at, call }] = next;
      this.timers.delete(timer);
      this.now = at;
      call();
    }
    this.now = end;
    await settle();
  }

  stop(): void {
    Object.assign(globalThis, this.former);
  }
}

/** Returns what a promise rejects with; fails where it doesn't. */
export async function refusalOf(promise: Promise<unknown>): Promise<any> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return assert.fail('was not refused');
}

/** What a promise came to so far. */
export function follow(promise: Promise<unknown>): { ended: 'no' | 'resolved' | 'rejected'; error?: any } {
  const state: { ended: 'no' | 'resolved' | 'rejected'; error?: any } = { ended: 'no' };
  promise.then(
    () => (state.ended = 'resolved'),
    (error) => Object.assign(state, { ended: 'rejected', error }),
  );
  return state;
}
