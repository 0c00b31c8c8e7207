// The example app and the README's sample, compiled by `tsc --strict`, on React's test renderer over a native part that a test
// scripts. `Scripts/react-native.sh run` lays out the package and its neighbours in .build/react-native before.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { createRequire } = require('node:module');
const { spawnSync } = require('node:child_process');

const root = path.join(__dirname, '../../..');
const built = path.join(root, '.build/react-native');
const need = createRequire(path.join(built, 'tests/'));
const { createElement } = need('react');
const { act, create } = need('react-test-renderer');
const { FakeNative, load, sample, samples, settle } = need('./support.js');

/** Compiles a project of TypeScript, or says what is wrong with it. */
function compile(project) {
  const env = { ...process.env, NODE_V8_COVERAGE: '' }; // the compiler's own lines are not what is measured
  const { status, stdout, stderr } = spawnSync('tsc', ['-p', project], { encoding: 'utf8', env });
  assert.equal(`${stdout}${stderr}`, '');
  assert.equal(status, 0);
}

compile(__dirname);
for (const name of ['Text', 'ScrollView', 'Pressable', 'Switch', 'TextInput']) need('react-native')[name] = name;

/** Starts an app anew, as its own module: on a phone in this language, over this native part. */
function start(t, file, native, language = 'en') {
  load(native);
  for (const name of Object.keys(require.cache)) if (/\/(example|sample)\//.test(name)) delete require.cache[name];
  const { DateTimeFormat } = Intl;
  Intl.DateTimeFormat = () => ({ resolvedOptions: () => ({ locale: language === 'fr' ? 'fr-CA' : 'en-GB' }) });
  const { App = undefined, default: other = App } = need(file);
  Intl.DateTimeFormat = DateTimeFormat;
  let renderer;
  act(() => (renderer = create(createElement(other))));
  t.after(() => act(() => renderer.unmount()));
  return new Shown(renderer, native);
}

class Shown {
  constructor(renderer, native) {
    this.renderer = renderer;
    this.native = native;
  }

  /** What native shows now. */
  show(screens, language) {
    act(() => this.native.showScreens(screens, language));
  }

  all(type) {
    return this.renderer.root.findAllByType(type);
  }

  /** Every text on the screen. */
  get texts() {
    const strings = (node) =>
      typeof node === 'string' ? [node] : Array.isArray(node) ? node.flatMap(strings) : strings(node?.children ?? []);
    return this.all('Text').map((text) => strings(text.props.children).join('')).filter((text) => text !== '');
  }

  button(label) {
    const found = this.all('Pressable').filter((button) => button.findAllByType('Text')[0].props.children === label);
    assert.equal(found.length, 1, `a button "${label}" among: ${this.texts.join(', ')}`);
    return found[0];
  }

  press(label) {
    assert.notEqual(this.button(label).props.disabled, true, label);
    act(() => this.button(label).props.onPress());
  }

  type(handle, length = 6) {
    act(() => this.all('ThumbturnSecretField')[0].props.onEntry({ nativeEvent: { handle, length } }));
  }

  /** What was sent last; native answers, and React goes on. */
  async answered(error = null, more = {}) {
    const sent = this.native.last();
    await act(async () => {
      sent.answer({ error, ...more });
      await settle();
    });
    return { action: JSON.parse(sent.action), secret: sent.secret };
  }
}

const inVault = { app: { screen: 'vault', isRecovering: false } };
const submit = (screen, label) => ({ action: { name: 'submitSecret', screen, secret: 'taken' }, label });

// .holds("B-02", "C13")
test('onboarding: a PIN twice, then "Enable Biometric Unlock?", and never a PIN in JavaScript', async (t) => {
  const native = new FakeNative();
  const app = start(t, '../example/src/App.js', native);
  assert.ok(native.calls[0].startsWith('open {"language":"en"'));
  const first = { step: 'secret', texts: ['Choose a PIN.'], offers: [submit('onboarding', 'Send')] };
  app.show({ app: { screen: 'onboarding' }, onboarding: first });
  assert.deepEqual(app.texts, ['Choose a PIN.', 'Send']);
  assert.equal(app.button('Send').props.disabled, true, 'nothing was typed');
  app.type(7);
  app.press('Send');
  assert.deepEqual(await app.answered(), { action: { name: 'submitSecret', screen: 'onboarding', secret: 'taken' }, secret: 7 });
  assert.equal(app.button('Send').props.disabled, true, 'an entry counts once');

  const answer = (consent) => ({ name: 'answer', screen: 'onboarding', consent });
  const offers = [{ action: answer(true), label: 'Enable' }, { action: answer(false), label: 'Skip' }];
  const second = { step: 'biometrics', title: 'Enable Biometric Unlock?', texts: [], offers };
  app.show({ app: { screen: 'onboarding' }, onboarding: second });
  assert.deepEqual(app.texts, ['Enable Biometric Unlock?', 'Enable', 'Skip']);
  assert.equal(app.all('ThumbturnSecretField').length, 0);
  app.press('Enable');
  assert.deepEqual(await app.answered(), { action: answer(true), secret: null });
});

// .holds("C8", "P-107-03")
test('each screen of the unlock, in both languages, with the words of native and no other', (t) => {
  for (const language of ['en', 'fr']) {
    const app = start(t, '../example/src/App.js', new FakeNative(), language);
    for (const { name, fields } of samples('unlock').filter((one) => one.language === language)) {
      app.show({ ...inVault, unlock: fields, wallets: { list: [], loading: false } }, language);
      if (fields.screen.name === 'content') continue;
      const phrase = fields.state === 'UNLOCKED' ? 'ACCEPT' : 'RESET';
      const texts = fields.texts.map((text) => text.replace('%@', phrase));
      const message = (fields.notice ?? fields.error)?.message;
      const labels = fields.offers.map((offer) => offer.label);
      assert.deepEqual(app.texts, [fields.title, ...texts, message, ...labels].filter((text) => text), `${name} ${language}`);
      const takesSecret = fields.offers.some((offer) => offer.action.secret === 'taken');
      assert.equal(app.all('ThumbturnSecretField').length, takesSecret ? 1 : 0, name);
    }
  }
});

test('what the owner has to type goes where the action has room for it', async (t) => {
  const app = start(t, '../example/src/App.js', new FakeNative());
  const unlock = sample('unlock-reset');
  app.show({ ...inVault, unlock });
  const offer = unlock.offers.find(({ action }) => Object.values(action).includes(''));
  act(() => app.all('TextInput')[0].props.onChangeText('RESET'));
  app.press(offer.label);
  const member = Object.keys(offer.action).find((name) => offer.action[name] === '');
  assert.deepEqual((await app.answered()).action, { ...offer.action, [member]: 'RESET' });
});

test('a refusal stands on the screen, and the field is empty again', async (t) => {
  const app = start(t, '../example/src/App.js', new FakeNative());
  const unlock = sample('unlock-secret');
  app.show({ ...inVault, unlock });
  app.type(3);
  const key = app.all('ThumbturnSecretField')[0];
  app.press('Unlock');
  await app.answered({ code: 'ERR-107-040', message: 'You could not be authenticated.', recoverable: true });
  assert.notEqual(app.all('ThumbturnSecretField')[0], key, 'the field is a new one');
  const { error } = sample('unlock-secret-refused');
  app.show({ ...inVault, unlock: { ...unlock, error, notice: error } });
  assert.ok(app.texts.includes('You could not be authenticated.'));
});

test('wallets are there while the vault is open, and gone with it', async (t) => {
  const app = start(t, '../example/src/App.js', new FakeNative());
  const wallets = { list: [{ id: '1', kind: 'mnemonic', name: 'Savings', offers: [], texts: [] }], loading: false, error: null };
  const open = { ...inVault, unlock: sample('unlock-content'), wallets };
  app.show(open);
  assert.deepEqual(app.texts, ['Wallets', 'Savings', 'Add a wallet', 'Settings', 'Lock']);
  app.press('Add a wallet');
  assert.deepEqual((await app.answered()).action, { name: 'create', screen: 'wallets', wallet: 'Wallet 2' });
  app.press('Lock');
  assert.deepEqual((await app.answered()).action, { name: 'lock', screen: 'unlock' });
  app.show({ ...inVault, unlock: sample('unlock-secret'), wallets: { ...wallets, list: [] } });
  assert.ok(!app.texts.includes('Savings'));
});

// .holds("C13")
test("a wallet's words are shown natively for its PIN, and gone when their screen or the app is left", async (t) => {
  for (const language of ['en', 'fr']) {
    const app = start(t, '../example/src/App.js', new FakeNative(), language);
    const wallets = sample('wallets-mnemonic', language);
    const show = (words) => app.show({ ...inVault, unlock: sample('unlock-content', language), wallets, words }, language);
    const shown = () => app.all('ThumbturnSecretText').map(({ props }) => props.number);
    show(null);
    const [{ action, label }] = wallets.list[0].offers;
    app.press(label);
    assert.deepEqual((await app.answered()).action, action);

    const [secret, words] = ['words-step-secret', 'words-step-words'].map((name) => sample(name, language));
    for (const given of [12, 13]) {
      show(secret);
      assert.ok(app.texts.includes(secret.title) && app.texts.includes(secret.texts[0]));
      assert.equal(app.all('ThumbturnSecretField')[0].props.kind, 'pin');
      app.type(9);
      app.press(secret.offers[0].label);
      assert.deepEqual(await app.answered(), { action: secret.offers[0].action, secret: 9 });
      show(words);
      assert.deepEqual(shown(), []);
      app.press(words.offers[0].label);
      assert.deepEqual((await app.answered(null, { given })).action, words.offers[0].action);
      assert.deepEqual(shown(), [given]);
      // The library takes the screen back when the app is left.
      show(secret);
      assert.deepEqual(shown(), []);
    }

    show(words);
    app.press(words.offers[0].label);
    await app.answered(null, { given: 14 });
    app.press(words.offers.find(({ action: { name } }) => name === 'wordsWritten').label);
    await app.answered();
    assert.deepEqual(shown(), []);
    show(null);
    assert.ok(app.texts.includes(wallets.list[0].name));
  }
});

// .holds("C9", "P-107-03")
test('the toggle is hidden without a sensor, inactive with the reason, and can always be turned off', async (t) => {
  const app = start(t, '../example/src/App.js', new FakeNative());
  const open = (biometrics) => ({ ...inVault, unlock: sample('unlock-content'), wallets: { list: [] }, biometrics });
  app.show(open(sample('biometrics-hidden')));
  app.press('Settings');
  assert.deepEqual(app.texts, ['Security', 'Back']);

  for (const name of ['biometrics-off-lockedOut', 'biometrics-off-tooWeak']) {
    const fields = sample(name);
    app.show(open(fields));
    assert.equal(app.all('Switch')[0].props.disabled, true, name);
    assert.ok(app.texts.includes(fields.obstacle.message), name);
  }

  app.show(open(sample('biometrics-off')));
  const sent = app.native.sent.length;
  act(() => app.all('Switch')[0].props.onValueChange(true));
  assert.equal(app.native.sent.length, sent, 'the PIN is asked for first');
  app.type(11);
  app.press(sample('biometrics-off').offers[0].label);
  assert.deepEqual(await app.answered(), { action: { name: 'enable', screen: 'biometrics', secret: 'taken' }, secret: 11 });

  for (const name of ['biometrics-on', 'biometrics-on-pd107']) {
    const fields = sample(name);
    app.show(open(fields));
    assert.equal(app.all('Switch')[0].props.disabled, false, name);
    assert.equal(app.all('Switch')[0].props.value, true, name);
    act(() => app.all('Switch')[0].props.onValueChange(false));
    if (fields.asksSecretToDisable) {
      app.type(12);
      app.press(fields.offers[0].label);
    }
    const { action } = await app.answered();
    assert.equal(action.name, 'disable', name);
    assert.equal('secret' in action, fields.asksSecretToDisable, name);
  }
});

test('in Expo Go it shows one sentence, in the language of the phone', (t) => {
  const [english, french] = ['en', 'fr'].map((language) => start(t, '../example/src/App.js', null, language).texts);
  assert.equal(english.length, 1);
  assert.match(english[0], /^The native part of Thumbturn is not in this app/);
  assert.equal(french.length, 1);
  assert.match(french[0], /^La partie native de Thumbturn n'est pas dans cette app/);
});

test("the app's own words are few, and none of them is native's", () => {
  const said = new Set();
  const collect = (value) => {
    if (typeof value === 'string') said.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const screen of ['unlock', 'biometrics', 'pin', 'recoveryKey', 'system']) {
    for (const { fields } of samples(screen)) collect(fields);
  }
  const source = fs.readFileSync(path.join(root, 'Examples/ReactNativeWallet/src/words.ts'), 'utf8');
  const own = [...source.matchAll(/\w+: (?:'([^']*)'|"([^"]*)")/g)].map(([, one, other]) => one ?? other);
  assert.equal(own.length, 14);
  assert.deepEqual(own.filter((word) => said.has(word)), []);
  for (const name of fs.readdirSync(path.join(root, 'Examples/ReactNativeWallet/src')).filter((file) => file.endsWith('.tsx'))) {
    const text = fs.readFileSync(path.join(root, 'Examples/ReactNativeWallet/src', name), 'utf8');
    assert.doesNotMatch(text, />[A-Z][a-z]+[^<{]*</, `${name} has a text of its own`);
  }
});

test("the README's sample has 40 lines at most, type-checks, and is a lock screen", async (t) => {
  const readme = fs.readFileSync(path.join(root, 'ReactNative/README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```tsx\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  assert.equal(blocks.length, 2);
  const [code, words] = blocks;
  const lines = code.trimEnd().split('\n').length;
  assert.ok(lines <= 40, `${lines} lines`);

  const folder = path.join(built, 'sample');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'App.tsx'), code);
  fs.writeFileSync(path.join(folder, 'Words.tsx'), words);
  const declarations = (name) => path.join(root, `ReactNative/declarations/${name}.d.ts`);
  const config = {
    extends: '../../../Tests/ReactNative/Example/tsconfig.json',
    compilerOptions: { rootDir: '.', outDir: '.' },
    include: ['App.tsx', 'Words.tsx', path.join(__dirname, 'declarations.d.ts'), ...['expo', 'react*'].map(declarations)],
  };
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  compile(folder);

  const native = new FakeNative();
  const app = start(t, '../sample/App.js', native);
  const onboarding = { step: 'secret', texts: ['Choose a PIN.'], offers: [submit('onboarding', 'Send')] };
  app.show({ app: { screen: 'onboarding' }, onboarding });
  assert.deepEqual(app.texts, ['Choose a PIN.', 'Send']);
  app.show({ ...inVault, unlock: sample('unlock-secret') });
  assert.ok(app.texts.includes('Locked') && app.texts.includes('Unlock'));
  app.type(5);
  app.press('Unlock');
  assert.deepEqual(await app.answered(), { action: { name: 'submitSecret', screen: 'unlock', secret: 'taken' }, secret: 5 });
  app.show({ ...inVault, unlock: sample('unlock-content') });
  assert.deepEqual(app.texts, ['What only the owner sees']);

  // And the second shows what an action gave, by its number alone.
  let entry;
  const { SecretField } = need('@thumbturn/react-native');
  let field;
  act(() => (field = create(createElement(SecretField, { onEntry: (next) => (entry = next) }))));
  field.root.findByType('ThumbturnSecretField').props.onEntry({ nativeEvent: { handle: 9, length: 6 } });
  const { Words } = need('../sample/Words.js');
  let other;
  act(() => (other = create(createElement(Words, { wallet: 'w', pin: entry }))));
  t.after(() => act(() => other.unmount()));
  act(() => other.root.findByType('Pressable').props.onPress());
  const { action, secret, answer } = native.last();
  assert.deepEqual([JSON.parse(action), secret], [{ name: 'export', screen: 'wallets', secret: 'taken', wallet: 'w' }, 9]);
  await act(async () => {
    answer({ error: null, given: 12 });
    await settle();
  });
  assert.equal(other.root.findByType('ThumbturnSecretText').props.number, 12);
});
