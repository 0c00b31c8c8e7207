// What the config plugin names of node 18.20 (nodejs.org/docs/latest-v18.x/api: modules, fs, path), written by hand.

declare const module: { exports: any };
declare const require: { (name: string): any; resolve(name: string, options: { paths: string[] }): string };

declare module 'fs' {
  export function existsSync(path: string): boolean;
  export function mkdirSync(path: string, options: { recursive: boolean }): void;
  export function readFileSync(path: string, encoding: 'utf8'): string;
  export function writeFileSync(path: string, text: string): void;
}

declare module 'path' {
  export function dirname(path: string): string;
  export function join(...parts: string[]): string;
}
