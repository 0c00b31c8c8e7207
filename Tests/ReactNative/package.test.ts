import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FakeNative, load, refusalOf, root } from './support';

const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const manifest = JSON.parse(read('ReactNative', 'package.json'));

describe('the package', () => {
  it('has the files of the frozen list, and no other', () => {
    const frozen = read('Tests', 'ReactNative', 'package-files.txt').trim().split('\n');
    const { stdout } = spawnSync('sh', [join(root, 'Scripts', 'react-native.sh'), 'list'], { encoding: 'utf8' });
    assert.deepEqual(stdout.trim().split('\n'), frozen);
    // Where npm is at hand, what it would pack.
    const npm = spawnSync('npm', ['pack', '--dry-run', '--json', '--offline', '--ignore-scripts', join(root, 'ReactNative')], {
      encoding: 'utf8',
    });
    if (npm.error) return;
    assert.equal(npm.status, 0, npm.stderr);
    const packed = JSON.parse(npm.stdout)[0].files.map((file: { path: string }) => file.path);
    assert.deepEqual(packed.sort(), [...frozen].sort());
  });

  it('depends on its peers and nothing else, and runs nothing when it is installed', () => {
    assert.deepEqual(Object.keys(manifest.peerDependencies).sort(), ['expo', 'react', 'react-native']);
    for (const name of ['dependencies', 'devDependencies', 'optionalDependencies', 'bundledDependencies', 'scripts']) {
      assert.equal(manifest[name], undefined, name);
    }
  });

  it('requires nothing but its peers, and has no wasm and no polyfill', () => {
    const frozen = read('Tests', 'ReactNative', 'package-files.txt').trim().split('\n');
    const built = frozen.filter((name) => /^build\/.*\.js$/.test(name));
    assert(built.length > 5);
    for (const name of built) {
      const text = read('ReactNative', name);
      for (const [, required] of text.matchAll(/require\("([^"]+)"\)/g)) {
        assert.match(required as string, /^(\.\/[a-zA-Z]+|expo|react|react-native)$/, name);
      }
      assert.doesNotMatch(text, /WebAssembly|globalThis|global\.|console\./, name);
    }
    assert(!frozen.some((name) => name.endsWith('.wasm')));
  });

  it('has the version and the licence of the repository', () => {
    assert.equal(manifest.version, read('VERSION').trim());
    assert.equal(read('ReactNative', 'LICENSE'), read('LICENSE'));
  });

  it('names the module that its native part defines', () => {
    const { platforms, apple, android } = JSON.parse(read('ReactNative', 'expo-module.config.json'));
    assert.deepEqual(platforms, ['apple', 'android']);
    assert.deepEqual(apple.modules, ['ThumbturnModule']);
    const [name, ...others] = android.modules;
    assert.deepEqual(others, []);
    const kotlin = read('ReactNative', 'android', 'src', 'main', 'java', ...`${name}.kt`.replace(/\.(?=.*\.)/g, '/').split('/'));
    assert.match(kotlin, /^package org\.thumbturn\.reactnative$[^]*^class ThumbturnModule : Module\(\)/m);
  });

  for (const [language, ending, count] of [['Swift', '.swift', 3], ['Kotlin', '.kt', 2]] as const) {
    it(`has a native half of at most 150 lines of ${language}`, () => {
      const frozen = read('Tests', 'ReactNative', 'package-files.txt').trim().split('\n');
      const files = frozen.filter((name) => name.endsWith(ending));
      assert.equal(files.length, count);
      const lines = files.flatMap((name) => read('ReactNative', name).split('\n')).map((line) => line.trim());
      const code = lines.filter((line) => line !== '' && !/^(\/\/|\/\*|\*)/.test(line));
      assert(code.length > 0 && code.length <= 150, `${code.length}`);
    });
  }
});

describe('texts', () => {
  const catalogue = read('Sources', 'Library', 'ThumbturnRules', 'Errors', 'ErrorCode+Catalogue.swift');
  // Seed 002, section 6, word for word.
  const seed: [string, string][] = [
    ['ERR-107-001', 'Face ID/Touch ID non disponible sur cet appareil.'],
    ['ERR-107-010', 'Mot de passe incorrect.'],
    ['ERR-107-020', "Impossible d'activer la biométrie."],
    ['ERR-107-021', 'Désactivation incomplète, nouvelle tentative requise.'],
    ['ERR-107-030', 'Authentification biométrique échouée.'],
    ['ERR-107-031', 'Authentification annulée.'],
    ['ERR-107-040', 'Impossible de vous authentifier.'],
    ['ERR-107-050', 'Vérification de sécurité requise.'],
    ['ERR-107-060', 'Vos données biométriques ont changé. Réactivez la biométrie.'],
    ['ERR-107-070', 'Session expirée. Mot de passe requis.'],
    ['ERR-107-080', 'Vérification de sécurité requise.'],
    ['ERR-107-090', 'Connexion limitée. Action enregistrée localement.'],
  ];
  for (const [code, message] of seed) {
    it(`${code} rejects with the French of seed 002 as the catalogue has it`, async () => {
      const entry = catalogue.slice(catalogue.indexOf(`"${code}"`)).split('\n').slice(0, 8).join('\n');
      assert(entry.includes(`"${message}"`), entry);
      const native = new FakeNative();
      const { openVault, useScreen: _, OwnerSecret } = load(native);
      openVault({ language: 'fr' });
      const call = OwnerSecret.remove('token');
      native.last().answer({ error: { code, hint: 'h', message, recoverable: true } });
      const refusal = await refusalOf(call);
      assert.deepEqual([refusal.code, refusal.message, refusal.recoverable], [code, message, true]);
    });
  }

  it("what the package says in native's place, native says in the same words", () => {
    const spoken = read('ReactNative', 'src', 'refusal.ts');
    const host = read('Sources', 'Screens', 'ThumbturnHost', 'App', 'HostError.swift');
    let count = 0;
    for (const [, code, english, french] of spoken.matchAll(
      /code: '([A-Z0-9_-]+)',\s+recoverable: \w+,\s+en: ['"](.*)['"],\s+fr: ['"](.*)['"],/g,
    )) {
      const source = code!.startsWith('ERR-') ? catalogue : host;
      if (!source.includes(`"${code}"`)) continue;
      assert(source.includes(`"${english}"`) && source.includes(`"${french}"`), code);
      count++;
    }
    assert.equal(count, 3);
  });

  it("what Android's half says before the vault is asked, ThumbturnHost says in the same words", () => {
    const spoken = read('Android', 'device', 'src', 'main', 'java', 'org', 'thumbturn', 'device', 'ScriptSession.java');
    const host = read('Sources', 'Screens', 'ThumbturnHost', 'App', 'HostError.swift');
    let count = 0;
    for (const [, code, words] of spoken.matchAll(/^ {8}([A-Z_]+)\(([^]*?)\)[,;]$/gm)) {
      const texts = [...(words as string).matchAll(/"([^"]*)"/g)].map(([, text]) => text as string);
      assert(texts.length === 2 || texts.length === 4, code);
      if (!host.includes(`"${code}"`)) continue;
      for (const text of texts) assert(host.includes(`"${text}"`), `${code}: ${text}`);
      count++;
    }
    assert.equal(count, 4);
  });
});
