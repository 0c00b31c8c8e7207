import { Child, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { program } from './phone';

/** A real account service, `thumbturnd`, on this machine alone; its store goes with it. */
export class Service {
  /** Resolves to the address at which it listens. */
  readonly origin: Promise<string>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'thumbturn-service-'));
  private readonly child: Child;
  private readonly ended: Promise<void>;

  constructor() {
    // More accounts a minute than an address may make otherwise.
    this.child = spawn(join(dirname(program()), 'thumbturnd'), ['serve', '--listen', '127.0.0.1:0', '--registrations-per-minute', '1000'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { HOME: this.folder, LC_ALL: 'C.UTF-8', SWIFT_BACKTRACE: 'enable=no' },
    });
    this.ended = new Promise((resolve) => this.child.on('exit', () => resolve()));
    const log = this.child.stdio[2];
    let unread = '';
    this.origin = new Promise((resolve, reject) => {
      // Its log has one JSON object a line, and is read on: a full pipe would stop it.
      log?.on('data', (chunk) => {
        const lines = (unread + chunk.toString('utf8')).split('\n');
        unread = lines.pop() ?? '';
        for (const { event, address } of lines.map((line) => JSON.parse(line))) if (event === 'listening') resolve(address);
      });
      this.ended.then(() => reject(new Error('thumbturnd has ended: is it built beside the playground?')));
    });
  }

  async end(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
