// The names of Node that the tests use, as Node 18 documents them: nodejs.org/docs/latest-v18.x/api.
declare module 'node:test' {
  interface Context {
    diagnostic(message: string): void;
    after(call: () => void | Promise<void>): void;
  }
  // test.html#testname-options-fn
  function test(name: string, body: (context: Context) => void | Promise<void>): Promise<void>;
  namespace test {
    function describe(name: string, body: () => void): void;
    function it(name: string, body: (context: Context) => void | Promise<void>): Promise<void>;
    function beforeEach(body: () => void | Promise<void>): void;
    function afterEach(body: () => void | Promise<void>): void;
    function after(body: () => void | Promise<void>): void;
  }
  export = test;
}

declare module 'node:assert/strict' {
  // assert.html#strict-assertion-mode
  function assert(value: unknown, message?: string): asserts value;
  namespace assert {
    function equal(actual: unknown, expected: unknown, message?: string): void;
    function notEqual(actual: unknown, expected: unknown, message?: string): void;
    function deepEqual(actual: unknown, expected: unknown, message?: string): void;
    function match(actual: string, expected: RegExp, message?: string): void;
    function doesNotMatch(actual: string, expected: RegExp, message?: string): void;
    function throws(body: () => unknown, expected?: object | ((error: unknown) => boolean)): void;
    function rejects(promise: Promise<unknown>, expected?: object): Promise<void>;
    function fail(message?: string): never;
  }
  export = assert;
}

declare module 'node:child_process' {
  // child_process.html#child_processspawncommand-args-options
  interface Pipe {
    on(event: 'data', listener: (chunk: Buffer) => void): void;
    on(event: 'error' | 'end', listener: () => void): void;
    write(chunk: string | Uint8Array): boolean;
    end(): void;
  }
  export interface Child {
    readonly stdio: readonly [Pipe, Pipe, Pipe | null, Pipe];
    readonly pid: number;
    on(event: 'exit', listener: (code: number | null) => void): void;
    kill(signal: string): boolean;
  }
  export function spawn(program: string, words: readonly string[], options: object): Child;
  export function spawnSync(
    program: string,
    words: readonly string[],
    options?: object,
  ): { status: number | null; stdout: string; stderr: string; error?: Error };
}

declare module 'node:fs' {
  export function readFileSync(path: string, encoding: 'utf8'): string;
  export function readdirSync(path: string): string[];
  export function statSync(path: string): { readonly size: number; isDirectory(): boolean };
  export function existsSync(path: string): boolean;
  export function mkdtempSync(prefix: string): string;
  export function rmSync(path: string, options: { recursive: boolean; force: boolean }): void;
}

declare module 'node:os' {
  export function tmpdir(): string;
}

declare module 'node:path' {
  export function join(...parts: string[]): string;
  export function dirname(path: string): string;
}

declare module 'node:zlib' {
  export function gzipSync(bytes: Buffer): Buffer;
}

interface Buffer extends Uint8Array {
  toString(encoding?: 'utf8'): string;
  subarray(start?: number, end?: number): Buffer;
  readUInt32BE(offset: number): number;
  writeUInt32BE(value: number, offset: number): number;
}
declare const Buffer: {
  from(text: string, encoding?: 'utf8'): Buffer;
  alloc(count: number): Buffer;
  concat(parts: readonly Uint8Array[]): Buffer;
  byteLength(text: string): number;
};

declare const process: {
  readonly execPath: string;
  readonly argv: string[];
  readonly env: Record<string, string | undefined>;
  readonly version: string;
  on(event: 'unhandledRejection' | 'warning', listener: (reason: unknown) => void): void;
  memoryUsage(): { heapUsed: number };
};
declare const performance: { now(): number };
declare const __dirname: string;
declare const require: { (name: string): any; resolve(name: string): string; readonly cache: Record<string, unknown> };
// What the tests put there for their stubs, and for React.
declare var theNative: unknown;
declare var IS_REACT_ACT_ENVIRONMENT: boolean;
declare const console: Record<'log' | 'info' | 'warn' | 'error' | 'debug', (...words: unknown[]) => void>;
declare function setImmediate(call: () => void): void;
