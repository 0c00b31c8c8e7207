import { Child, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NativeVault } from '@thumbturn/react-native/build/native';
import { root } from './support';

/**
 * The playground's phone, with the real library and the simulated device, as the native part of an app.
 *
 * Lines go over its standard input and output; secrets beside them over a socket, as their length in 4 bytes and their bytes.
 */
export class Phone implements NativeVault {
  /** Every line that went either way: no secret may be in one. */
  readonly lines: string[] = [];
  /** What came out over the socket of secrets. */
  readonly secrets: string[] = [];
  /** What the phone showed last. */
  state: any;

  /** How many answers had a secret beside them, and how many of those came. */
  private givenCount = 0;
  private secretCount = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), 'thumbturn-phone-'));
  private readonly listeners = new Set<(event: { value: string }) => void>();
  private readonly unanswered = new Map<number, { done: (answer: any) => void; died: () => void }>();
  private readonly watchers = new Set<() => void>();
  private value: string | null = null;
  private id = 0;
  private unread = '';
  private unreadSecrets = Buffer.alloc(0);
  isOver = false;
  private ended!: Promise<void>;
  private child: Child;

  private readonly command: readonly string[];
  /** The address of its account service, where it has one. */
  private readonly service: readonly string[];

  constructor({ command, service }: { command?: readonly string[]; service?: string } = {}) {
    this.command = command ?? (isAndroid ? androidApp() : [program(), 'phone']);
    this.service = service === undefined ? [] : [service];
    this.child = this.start();
  }

  private start(): Child {
    const [path, ...words] = this.command;
    const child = spawn(path as string, [...words, this.folder, ...this.service], {
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
      env: { SWIFT_BACKTRACE: 'enable=no' },
    });
    const [input, output, , secrets] = child.stdio;
    output.on('data', (chunk) => this.read(chunk.toString('utf8')));
    secrets.on('data', (chunk) => this.readSecrets(chunk));
    // Writing to one that was killed fails.
    for (const pipe of [input, secrets]) pipe.on('error', () => undefined);
    this.ended = new Promise((resolve) =>
      child.on('exit', () => {
        this.isOver = true;
        for (const call of this.unanswered.values()) call.died();
        this.unanswered.clear();
        for (const watcher of [...this.watchers]) watcher();
        resolve();
      }),
    );
    return child;
  }

  // The native part of the package.

  open(): void {
    // The phone is open when it starts.
  }

  fields(): string | null {
    return this.value;
  }

  async send(_: number, action: string, secret: string | number | null): Promise<string> {
    const screen = JSON.parse(action).screen as string;
    if (typeof secret === 'number' && !isAndroid) throw new Error('the phone has no native field');
    const number = typeof secret === 'number' ? { number: secret } : {};
    const answer = await this.ask('act', JSON.parse(action), typeof secret === 'string' ? secret : undefined, number);
    if (!answer.isWaiting) return JSON.stringify(answer);
    // A prompt is up: the phone tells what comes of it by its state.
    await this.until((state) => !state.world.prompt && !state.host.screens[screen]?.isBusy && !state.host.screens[screen]?.loading);
    return JSON.stringify({ error: this.state.host.screens[screen]?.error ?? null });
  }

  cancel(): void {
    // What was sent over a pipe can't be taken back.
  }

  isAsking(): boolean {
    return this.state?.world.prompt != null;
  }

  async ownerSecret(request: string): Promise<string> {
    if (!isAndroid) throw new Error('the phone keeps no such secret');
    return JSON.stringify(await this.ask('owner', JSON.parse(request)));
  }

  async derivedKey(): Promise<string> {
    throw new Error('the phone derives no key');
  }

  addListener(_: 'onChange', listener: (event: { value: string }) => void): { remove(): void } {
    this.listeners.add(listener);
    return { remove: () => void this.listeners.delete(listener) };
  }

  // What a test does around it.

  /** Makes something happen, in the words of `thumbturn simulate`. */
  async world(words: string): Promise<void> {
    const { error } = await this.ask('world', words);
    if (error) throw new Error(`${words}: ${error.code}`);
  }

  /** Asks for an action past the package, as an altered script may; a secret that was given is in `secrets` then. */
  async act(action: object, secret?: string): Promise<any> {
    const answer = await this.ask('act', action, secret);
    // It comes beside its line, by another way.
    while (this.secretCount < this.givenCount) await new Promise<void>((resolve) => setTimeout(resolve, 2));
    return answer;
  }

  /** Waits until the phone shows this. */
  async until(test: (state: any) => boolean, milliseconds = 8_000): Promise<void> {
    const end = performance.now() + milliseconds;
    while (!this.state || !test(this.state)) {
      if (this.isOver) throw new Error('the phone has ended');
      if (performance.now() > end) throw new Error(`the phone shows ${JSON.stringify(this.state?.host.screens.unlock)}`);
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.watchers.delete(wake);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(wake, 100);
        this.watchers.add(wake);
      });
    }
  }

  /** Makes a vault: a PIN twice, and whether with biometrics; with these words in a wallet. */
  async make(pin: string, biometrics: boolean, words?: string): Promise<void> {
    await this.until((state) => state.host.screens.onboarding);
    for (const _ of [1, 2]) await this.act({ screen: 'onboarding', name: 'submitSecret', secret: 'taken' }, pin);
    await this.act({ screen: 'onboarding', name: 'answer', consent: biometrics });
    await this.until(({ host: { screens } }) => screens.unlock?.state === 'UNLOCKED' && !screens.biometrics.loading && !screens.wallets.loading);
    if (!words) return;
    await this.act({ screen: 'wallets', name: 'import', wallet: 'family-treasure', secret: 'taken' }, words);
    await this.until((state) => state.host.screens.wallets.list.length > 0);
  }

  /** Ends the app as the system may, without a word. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Starts it again on the same phone. */
  async startAgain(): Promise<void> {
    if (!this.isOver) await this.kill();
    [this.isOver, this.unread, this.unreadSecrets] = [false, '', Buffer.alloc(0)];
    [this.state, this.value] = [undefined, null];
    this.givenCount = this.secretCount;
    this.child = this.start();
    await this.until((state) => state.host.screens.unlock);
  }

  async end(): Promise<void> {
    if (!this.isOver) this.child.stdio[0].end();
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Gives another order, one of those that only the Android app knows. */
  order(order: string, what: unknown, more: object = {}): Promise<any> {
    return this.ask(order, what, undefined, more);
  }

  private ask(order: string, what: unknown, secret?: string, more: object = {}): Promise<any> {
    const id = ++this.id;
    return new Promise((done, refuse) => {
      if (this.isOver) return refuse(new Error('the phone has ended'));
      this.unanswered.set(id, { done, died: () => refuse(new Error('the phone has ended')) });
      const line = JSON.stringify({ [order]: what, ...more, id });
      this.lines.push(line);
      this.child.stdio[0].write(`${line}\n`);
      if (secret === undefined) return;
      const head = Buffer.alloc(4);
      head.writeUInt32BE(Buffer.byteLength(secret), 0);
      this.child.stdio[3].write(Buffer.concat([head, Buffer.from(secret)]));
    });
  }

  private read(text: string): void {
    const lines = (this.unread + text).split('\n');
    this.unread = lines.pop() ?? '';
    for (const line of lines) {
      this.lines.push(line);
      const { state, answer, id } = JSON.parse(line);
      if (state) this.show(state);
      else {
        if (answer.secret) this.givenCount++;
        const call = this.unanswered.get(id);
        this.unanswered.delete(id);
        call?.done(answer);
      }
    }
  }

  private show(state: any): void {
    this.state = state;
    const value = JSON.stringify(state.host);
    if (value !== this.value) {
      this.value = value;
      for (const listener of [...this.listeners]) listener({ value });
    }
    for (const watcher of [...this.watchers]) watcher();
  }

  private readSecrets(chunk: Buffer): void {
    this.unreadSecrets = Buffer.concat([this.unreadSecrets, chunk]);
    while (this.unreadSecrets.length >= 4) {
      const end = 4 + this.unreadSecrets.readUInt32BE(0);
      if (this.unreadSecrets.length < end) return;
      this.secretCount++;
      this.secrets.push(this.unreadSecrets.subarray(4, end).toString('utf8'));
      this.unreadSecrets = this.unreadSecrets.subarray(end);
    }
  }
}

/** Whether the phone is an Android app in a Java machine, over the bridge: Android/AndroidHost.java. */
export const isAndroid = process.env['THUMBTURN_ANDROID_APP'] !== undefined;

/** The command of that app, as Scripts/react-native.sh made it. */
function androidApp(): string[] {
  return (process.env['THUMBTURN_ANDROID_APP'] as string).split(' ');
}

/** The playground's program: the one that `make test` built, or the released one. */
export function program(kinds: readonly string[] = ['debug', 'release']): string {
  const built = kinds.map((kind) => join(root, '.build', kind, 'thumbturn-playground'));
  const found = [process.env['PLAYGROUND'], ...built].find((path) => path && existsSync(path));
  if (!found) throw new Error('no thumbturn-playground is built: make test, or make release');
  return found;
}
