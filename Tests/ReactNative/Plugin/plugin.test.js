// The config plugin over projects as prebuild makes them: what it writes, that twice is once, and what it refuses.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const test = require('node:test');
const { spawnSync } = require('node:child_process');
const xml = require('./xml.js');
const { Project, expo, withThumbturn } = require('./project.js');
const { EXTRACTION: EXTRACTION_KIND, mergeRules } = require('../../../ReactNative/plugin/rules.js');

const MANIFEST = 'android/app/src/main/AndroidManifest.xml';
const RULES = 'android/app/src/main/res/xml/thumbturn_backup_rules.xml';
const EXTRACTION = 'android/app/src/main/res/xml/thumbturn_data_extraction_rules.xml';
const ENTITLEMENTS = 'ios/Wallet/Wallet.entitlements';
const PLIST = 'ios/Wallet/Info.plist';
const PROJECT = 'ios/Wallet.xcodeproj/project.pbxproj';
const PODS = 'ios/Podfile.properties.json';
const FRENCH = 'ios/Wallet/Supporting/fr.lproj/InfoPlist.strings';

const OWN = ['root', 'file', 'database', 'sharedpref'];
const DOMAINS = [...OWN, 'external', ...OWN.map((name) => `device_${name}`)];

const application = (project) => xml.parse(project.read(MANIFEST)).manifest.application[0];
const plist = (project) => xml.parsePlist(project.read(PLIST));
const groups = (project) => xml.parsePlist(project.read(ENTITLEMENTS))['keychain-access-groups'];

/** The rules of a file by section, each as "include domain path" or "exclude domain path". */
function rules(text) {
  const [[root, value]] = Object.entries(xml.parse(text));
  const section = (element) =>
    ['include', 'exclude'].flatMap((kind) =>
      (element[kind] ?? []).map(({ $ }) => [kind, $.domain, $.path ?? '.', $.requireFlags ?? []].flat().join(' ')),
    );
  if (root === 'full-backup-content') return { '': section(value) };
  const named = Object.entries(value).filter(([name]) => name !== '$');
  return Object.fromEntries(named.map(([name, [element]]) => [name, section(element)]));
}

const nothing = DOMAINS.map((domain) => `exclude ${domain} .`);

/** What Android's lint calls fatal (FullBackupContent): an exclude outside of what its domain includes. */
function assertLintAccepts(text) {
  const parts = (place) => place.split('/').filter((name) => name !== '' && name !== '.');
  for (const section of Object.values(rules(text))) {
    const split = section.map((rule) => rule.split(' '));
    const includes = split.filter(([kind]) => kind === 'include');
    if (includes.length === 0) continue;
    for (const [kind, domain, place] of split) {
      if (kind !== 'exclude') continue;
      const within = (folder) => parts(folder).every((name, index) => parts(place)[index] === name);
      const covered = includes.some(([, other, folder]) => other === domain && within(folder));
      assert.ok(covered, `${domain} ${place} is not in an included path`);
    }
  }
}

/** A plugin as expo-secure-store's: it names its own rules, or warns where others stand. */
function withSecureStore(config) {
  return expo.withAndroidManifest(config, (mod) => {
    const { $ } = mod.modResults.manifest.application[0];
    const ours = {
      'android:fullBackupContent': '@xml/secure_store_backup_rules',
      'android:dataExtractionRules': '@xml/secure_store_data_extraction_rules',
    };
    if (Object.entries(ours).every(([name, value]) => [undefined, value].includes($[name]))) Object.assign($, ours);
    return mod;
  });
}

const SECURE_STORE = {
  'package.json': '{ "name": "wallet", "dependencies": { "expo": "~54.0.0", "expo-secure-store": "~15.0.0" } }',
  'node_modules/expo-secure-store/package.json': '{ "name": "expo-secure-store", "version": "15.0.0" }',
  "node_modules/expo-secure-store/android/src/main/res/xml/secure_store_backup_rules.xml": `<?xml version="1.0" encoding="utf-8"?>
<!-- Android 11 and lower -->
<full-backup-content>
  <include domain="sharedpref" path="."/>
  <exclude domain="sharedpref" path="SecureStore"/>
</full-backup-content>
`,
  "node_modules/expo-secure-store/android/src/main/res/xml/secure_store_data_extraction_rules.xml": `<?xml version="1.0" encoding="utf-8"?>
<data-extraction-rules>
  <cloud-backup>
    <include domain="sharedpref" path="."/>
    <exclude domain="sharedpref" path="SecureStore"/>
  </cloud-backup>
  <device-transfer>
    <include domain="sharedpref" path="."/>
    <exclude domain="sharedpref" path="SecureStore"/>
  </device-transfer>
</data-extraction-rules>
`,
};

/** A project whose manifest names rules of its own. */
function withRules(t, { backup, extraction, attributes = {} }) {
  const named = {
    ...(backup === undefined ? {} : { 'android:fullBackupContent': '@xml/own_backup' }),
    ...(extraction === undefined ? {} : { 'android:dataExtractionRules': '@xml/own_extraction' }),
    ...attributes,
  };
  const project = new Project(t);
  const document = xml.parse(project.read(MANIFEST));
  Object.assign(document.manifest.application[0].$, named);
  const files = { [MANIFEST]: xml.build(document) };
  if (backup !== undefined) files['android/app/src/main/res/xml/own_backup.xml'] = backup;
  if (extraction !== undefined) files['android/app/src/main/res/xml/own_extraction.xml'] = extraction;
  project.write(files);
  return project;
}

const transfer = (inside) => `<data-extraction-rules><device-transfer>${inside}</device-transfer></data-extraction-rules>`;

/** Expects prebuild to stop with this code, and with every file as it was. */
async function refuses(project, run, code, says) {
  const before = project.all();
  await assert.rejects(run, (error) => {
    assert.ok(error instanceof withThumbturn.PluginError, String(error));
    assert.strictEqual(error.code, code);
    assert.match(error.message, says);
    return true;
  });
  assert.deepStrictEqual(project.all(), before);
}

// --- what it writes ----------------------------------------------------------------------------------------------

// .holds("C13", "B-12")
test('a new project gets what a vault needs on both phones', async (t) => {
  const project = new Project(t);
  await project.prebuild();
  const { $, 'meta-data': flags } = application(project);
  assert.strictEqual($['android:allowBackup'], 'false');
  assert.strictEqual($['android:fullBackupContent'], '@xml/thumbturn_backup_rules');
  assert.strictEqual($['android:dataExtractionRules'], '@xml/thumbturn_data_extraction_rules');
  assert.strictEqual($['tools:replace'], 'android:allowBackup,android:fullBackupContent,android:dataExtractionRules');
  const values = Object.fromEntries(flags.map((item) => [item.$['android:name'], item.$['android:value']]));
  // The app's own, and nothing of ours.
  assert.deepStrictEqual(values, { 'expo.modules.updates.ENABLED': 'false' });
  assert.match(project.read(MANIFEST), /<uses-permission android:name="android\.permission\.USE_BIOMETRIC"\/>/);
  assert.match(project.read('android/gradle.properties'), /^android\.minSdkVersion=30$/m);
  assert.deepStrictEqual(rules(project.read(RULES)), { '': nothing });
  assert.deepStrictEqual(rules(project.read(EXTRACTION)), { 'cloud-backup': nothing, 'device-transfer': nothing });
  assert.strictEqual(plist(project).NSFaceIDUsageDescription, 'Face ID opens your vault.');
  assert.strictEqual(plist(project).ThumbturnAccessGroup, '$(AppIdentifierPrefix)com.example.wallet.vault');
  const prefixed = ['com.example.wallet', 'com.example.wallet.vault'].map((name) => `$(AppIdentifierPrefix)${name}`);
  assert.deepStrictEqual(groups(project), prefixed);
});

test('what it does not name stays as it was', async (t) => {
  const [plain, ours] = [new Project(t), new Project(t)];
  await plain.prebuild({ plugins: [] });
  await ours.prebuild();
  const { NSFaceIDUsageDescription, ThumbturnAccessGroup, ...rest } = plist(ours);
  assert.deepStrictEqual(rest, plist(plain));
  const lines = ours.read('android/gradle.properties').split('\n').filter((line) => !line.startsWith('android.minSdkVersion'));
  assert.deepStrictEqual(lines, plain.read('android/gradle.properties').split('\n'));
  const manifest = xml.parse(ours.read(MANIFEST)).manifest;
  assert.deepStrictEqual(manifest.queries, xml.parse(plain.read(MANIFEST)).manifest.queries);
  assert.deepStrictEqual(manifest.application[0].activity, application(plain).activity);
  assert.strictEqual(ours.read(PROJECT), plain.read(PROJECT));
});

test('twice is once: a second prebuild, and a plugin that is named twice, change nothing', async (t) => {
  const project = new Project(t, SECURE_STORE);
  await project.prebuild({ plugins: [withThumbturn, withSecureStore] });
  const first = project.all();
  await project.prebuild({ plugins: [withThumbturn, withSecureStore] });
  assert.deepStrictEqual(project.all(), first);
  await project.prebuild({ plugins: [withThumbturn, withSecureStore, withThumbturn], clean: true });
  assert.deepStrictEqual(project.all(), first);
});

test("taken out, it leaves nothing, and it writes in the phones' folders alone", async (t) => {
  const [project, never] = [new Project(t), new Project(t)];
  const outside = (files) => Object.fromEntries(Object.entries(files).filter(([name]) => !/^(android|ios)\//.test(name)));
  const before = outside(project.all());
  await project.prebuild();
  assert.deepStrictEqual(outside(project.all()), before);
  await project.prebuild({ plugins: [], clean: true });
  await never.prebuild({ plugins: [] });
  assert.deepStrictEqual(project.all(), never.all());
});

// .holds("B-12")
test('an include goes with who asked for it: at the next prebuild, without --clean', async (t) => {
  const leaves = (project) => rules(project.read(EXTRACTION))['device-transfer'];
  const kept = ['include sharedpref .', 'exclude sharedpref SecureStore'];
  // Of an option.
  const option = new Project(t, { 'rules.xml': transfer('<include domain="file" path="exports"/>') });
  await option.prebuild({ options: { dataExtractionRules: 'rules.xml' } });
  assert.deepStrictEqual(leaves(option), ['include file exports']);
  await option.prebuild();
  assert.deepStrictEqual(leaves(option), nothing);
  // Of a library that is taken out; while it is there its rules stay, however often.
  const library = new Project(t, SECURE_STORE);
  for (let round = 0; round < 3; round++) {
    await library.prebuild({ plugins: [withThumbturn, withSecureStore] });
    assert.deepStrictEqual(leaves(library), kept);
    assert.deepStrictEqual(rules(library.read(RULES)), { '': kept });
  }
  fs.rmSync(library.path('node_modules'), { recursive: true });
  await library.prebuild();
  assert.deepStrictEqual(leaves(library), nothing);
  assert.deepStrictEqual(rules(library.read(RULES)), { '': nothing });
  // Of the app's own file, which says another thing now.
  const own = withRules(t, { extraction: transfer('<include domain="file" path="exports"/>') });
  await own.prebuild();
  assert.deepStrictEqual(leaves(own), ['include file exports']);
  own.write({ 'android/app/src/main/res/xml/own_extraction.xml': transfer('<include domain="file" path="pictures"/>') });
  await own.prebuild();
  assert.deepStrictEqual(leaves(own), ['include file pictures']);
});

test('introspection writes no file', async (t) => {
  const project = new Project(t);
  const before = project.all();
  await project.prebuild({ introspect: true });
  const after = project.all();
  delete after[FRENCH];
  assert.deepStrictEqual(after, before);
});

test("a manifest without the tools' name space gets it", async (t) => {
  const project = new Project(t);
  project.write({ [MANIFEST]: project.read(MANIFEST).replace(/ xmlns:tools="[^"]*"/, '') });
  await project.prebuild();
  assert.match(project.read(MANIFEST), /xmlns:tools="http:\/\/schemas\.android\.com\/tools"/);
});

test('what another plugin replaces stays in the list', async (t) => {
  const project = withRules(t, { attributes: { 'tools:replace': 'android:label, android:allowBackup' } });
  await project.prebuild();
  assert.strictEqual(
    application(project).$['tools:replace'],
    'android:label,android:allowBackup,android:fullBackupContent,android:dataExtractionRules',
  );
});

// --- backup rules ------------------------------------------------------------------------------------------------

// .holds("B-12")
test("expo-secure-store's rules are kept, and its own store stays out", async (t) => {
  const project = new Project(t, SECURE_STORE);
  await project.prebuild({ plugins: [withThumbturn, withSecureStore] });
  const kept = ['include sharedpref .', 'exclude sharedpref SecureStore'];
  assert.deepStrictEqual(rules(project.read(RULES)), { '': kept });
  assert.deepStrictEqual(rules(project.read(EXTRACTION)), { 'cloud-backup': kept, 'device-transfer': kept });
  assertLintAccepts(project.read(EXTRACTION));
});

test('where expo-secure-store is named first, it finds ours and warns, and nothing leaves', async (t) => {
  const project = new Project(t, SECURE_STORE);
  await project.prebuild({ plugins: [withSecureStore, withThumbturn] });
  assert.deepStrictEqual(rules(project.read(EXTRACTION)), { 'cloud-backup': nothing, 'device-transfer': nothing });
  assert.strictEqual(application(project).$['android:dataExtractionRules'], '@xml/thumbturn_data_extraction_rules');
});

test("the vault's folder is taken out of rules that reach it, and of no others: Android's lint is fatal there", async (t) => {
  const cases = [
    ['<include domain="root" path="."/>', ['include root .', 'exclude root no_backup']],
    ['<include domain="root"/>', ['include root .', 'exclude root no_backup']],
    ['<include domain="file" path="exports"/>', ['include file exports']],
    ['<include domain="root" path="files/exports/"/>', ['include root files/exports/']],
    ['<exclude domain="sharedpref" path="x.xml"/>', ['exclude sharedpref x.xml', 'exclude root no_backup']],
    ['<exclude domain="root" path="./no_backup/"/>', ['exclude root ./no_backup/']],
    ['<exclude domain="root" path="."/>', ['exclude root .']],
    ['', ['exclude root no_backup']],
  ];
  for (const [inside, expected] of cases) {
    const project = withRules(t, { extraction: transfer(inside) });
    await project.prebuild();
    const written = rules(project.read(EXTRACTION));
    assert.deepStrictEqual(written['device-transfer'], expected, inside);
    assert.deepStrictEqual(written['cloud-backup'], nothing, 'a section that nobody wrote lets nothing leave');
    assertLintAccepts(project.read(EXTRACTION));
  }
});

test('attributes of a section and flags of an entry stay', async (t) => {
  const project = withRules(t, {
    backup: '<full-backup-content><include domain="file" path="a &amp; b" requireFlags="clientSideEncryption"/></full-backup-content>',
    extraction:
      '<data-extraction-rules><cloud-backup disableIfNoEncryptionCapabilities="true"><include domain="file" path="a"/></cloud-backup>' +
      '<cross-platform-transfer platform="ios"><include domain="file" path="a"/><platform-specific-params bundleId="com.example.wallet" teamId="ABCDE12345" contentVersion="1.0"/>' +
      '</cross-platform-transfer></data-extraction-rules>',
  });
  await project.prebuild();
  assert.deepStrictEqual(rules(project.read(RULES)), { '': ['include file a & b clientSideEncryption'] });
  const written = project.read(EXTRACTION);
  assert.match(written, /<cloud-backup disableIfNoEncryptionCapabilities="true">/);
  assert.match(written, /<cross-platform-transfer platform="ios">/);
  assert.match(written, /<platform-specific-params bundleId="com\.example\.wallet" teamId="ABCDE12345" contentVersion="1\.0"\/>/);
});

test("rules of the options are merged with the manifest's, without an exclude that nothing includes", async (t) => {
  const project = new Project(t, {
    ...SECURE_STORE,
    'rules/extraction.xml': transfer('<include domain="file" path="exports"/><exclude domain="database" path="a.db"/>'),
  });
  await project.prebuild({ plugins: [withThumbturn, withSecureStore], options: { dataExtractionRules: './rules/extraction.xml' } });
  assert.deepStrictEqual(rules(project.read(EXTRACTION))['device-transfer'], [
    'include sharedpref .',
    'include file exports',
    'exclude sharedpref SecureStore',
  ]);
  assertLintAccepts(project.read(EXTRACTION));
});

test('android:fullBackupContent may be a boolean: then there are no rules to keep', async (t) => {
  for (const value of ['true', 'false']) {
    const project = withRules(t, { attributes: { 'android:fullBackupContent': value } });
    await project.prebuild();
    assert.deepStrictEqual(rules(project.read(RULES)), { '': nothing });
  }
});

test('rules that are in no file stop it, and it says where they belong', async (t) => {
  const project = withRules(t, { attributes: { 'android:dataExtractionRules': '@xml/of_nobody' } });
  await refuses(project, () => project.prebuild(), 'RULES_NOT_FOUND', /of_nobody.*"dataExtractionRules" in the plugin's options/s);
  const other = new Project(t);
  const options = { backupRules: 'gone.xml' };
  await refuses(other, () => other.prebuild({ options }), 'RULES_NOT_FOUND', /app\.json's backupRules.*gone\.xml/);
});

test('rules that include the vault stop it', async (t) => {
  for (const place of ['no_backup', './no_backup/', 'no_backup/vault']) {
    const project = withRules(t, { extraction: transfer(`<include domain="root" path="${place}"/>`) });
    await refuses(project, () => project.prebuild(), 'RULES_INCLUDE_VAULT', /no_backup.*Take that <include> out/s);
  }
});

test('rules that Android would not read stop it', async (t) => {
  const cases = [
    '<data-extraction-rules>',
    'no rules',
    '<full-backup-content/>',
    transfer('<include domain="sdcard" path="."/>'),
    transfer('<include path="."/>'),
    transfer('<exclude domain="file" path="../x"/>'),
    transfer('<only/>'),
    '<data-extraction-rules><backup/></data-extraction-rules>',
  ];
  for (const extraction of cases) {
    const project = withRules(t, { extraction });
    await refuses(project, () => project.prebuild(), 'RULES_UNREADABLE', /own_extraction\.xml can't be merged/);
  }
});

// .holds("B-12")
test('whatever rules are merged, the vault stays, and lint accepts them', async (t) => {
  let state = 20260214;
  const random = (count) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % count;
  const one = (list) => list[random(list.length)];
  const places = ['.', 'a', 'a/b', 'no_backup2', 'files/a', 'files'];
  const entry = () => `<${one(['include', 'exclude'])} domain="${one(DOMAINS)}" path="${one(places)}"/>`;
  const project = new Project(t);
  const request = { projectRoot: project.root, platformProjectRoot: project.path('android'), introspect: false };
  const attributes = { [EXTRACTION_KIND.attribute]: '@xml/own_extraction' };
  for (let round = 0; round < 1000; round++) {
    const [own, option] = [0, 1].map(() => transfer(Array.from({ length: random(5) }, entry).join('')));
    project.write({ 'android/app/src/main/res/xml/own_extraction.xml': own, 'option.xml': option });
    const { text } = await mergeRules(EXTRACTION_KIND, attributes, random(2) === 0 ? null : 'option.xml', request);
    assertLintAccepts(text);
    const written = rules(text)['device-transfer'].map((rule) => rule.split(' '));
    const whole = ([, domain, place]) => domain === 'root' && ['.', 'no_backup'].includes(place);
    const includes = written.filter(([kind]) => kind === 'include');
    const leaves = includes.length === 0 || includes.some(whole);
    const stays = written.some((rule) => rule[0] === 'exclude' && whole(rule));
    assert.ok(!leaves || stays, `${own} ${option}`);
  }
});

// --- versions ----------------------------------------------------------------------------------------------------

test("Android's oldest version is raised to 11, and never lowered", async (t) => {
  const cases = [
    ['android.minSdkVersion=24', 'android.minSdkVersion=30'],
    ['android.minSdkVersion = 24', 'android.minSdkVersion =30'],
    ['android.minSdkVersion=33', 'android.minSdkVersion=33'],
    ['android.minSdkVersion=', 'android.minSdkVersion=30'],
    // Gradle reads the last of several.
    ['android.minSdkVersion=33\nandroid.minSdkVersion=24', 'android.minSdkVersion=33\nandroid.minSdkVersion=30'],
    ['android.minSdkVersion=24\nandroid.minSdkVersion=33', 'android.minSdkVersion=30\nandroid.minSdkVersion=33'],
  ];
  for (const [before, after] of cases) {
    const project = new Project(t, { "android/gradle.properties": `a=b\n${before}\n` });
    await project.prebuild();
    assert.strictEqual(project.read("android/gradle.properties"), `a=b\n${after}\n`);
  }
});

test("iOS' oldest version is raised to 15.1, and a newer template's is not lowered", async (t) => {
  const podfile = (version) => `platform :ios, podfile_properties['ios.deploymentTarget'] || '${version}'\n`;
  const cases = [
    [{}, podfile('15.1'), undefined],
    [{}, podfile('13.4'), '15.1'],
    [{}, 'platform :ios, min_ios_version_supported\n', '15.1'],
    [{ 'ios.deploymentTarget': '14.0' }, podfile('15.1'), '15.1'],
    [{ 'ios.deploymentTarget': '16.4' }, podfile('13.4'), '16.4'],
    [{ 'ios.deploymentTarget': '15' }, podfile('13.4'), '15.1'],
    [{ 'ios.deploymentTarget': '16' }, podfile('13.4'), '16'],
  ];
  for (const [properties, text, expected] of cases) {
    const project = new Project(t, { [PODS]: JSON.stringify(properties), 'ios/Podfile': text });
    await project.prebuild();
    assert.strictEqual(JSON.parse(project.read(PODS))['ios.deploymentTarget'], expected);
  }
});

test("the project's own configurations are raised too", async (t) => {
  const template = new Project(t).read(PROJECT);
  for (const [before, after] of [['13.4', '15.1'], ['"14.0"', '15.1'], ['9.0', '15.1'], ['15.1', '15.1'], ['"16.0"', '"16.0"']]) {
    const set = (version) => template.replace(/TARGET = 15\.1/, `TARGET = ${version}`);
    const project = new Project(t, { [PROJECT]: set(before) });
    await project.prebuild();
    assert.strictEqual(project.read(PROJECT), set(after));
  }
});

// --- iOS ---------------------------------------------------------------------------------------------------------

test("the app's own keychain group stays the first", async (t) => {
  const list = (names) => xml.buildPlist({ "keychain-access-groups": names.map((name) => `$(AppIdentifierPrefix)${name}`) });
  const project = new Project(t, { [ENTITLEMENTS]: list(['com.example.former', 'com.example.shared']) });
  for (const _ of [1, 2]) await project.prebuild({ options: { keychainGroup: 'com.example.former.vault' } });
  assert.strictEqual(project.read(ENTITLEMENTS), list(['com.example.former', 'com.example.shared', 'com.example.former.vault']));
  assert.strictEqual(plist(project).ThumbturnAccessGroup, '$(AppIdentifierPrefix)com.example.former.vault');
});

test("the vault's keychain group is never the first: what names no group would go into it", async (t) => {
  const cases = [
    [['com.example.wallet.vault'], ['com.example.wallet', 'com.example.wallet.vault']],
    [['com.example.wallet.vault', 'com.example.shared'], ['com.example.wallet', 'com.example.wallet.vault', 'com.example.shared']],
    [['com.example.wallet.vault', 'com.example.wallet'], ['com.example.wallet', 'com.example.wallet.vault']],
    [['com.example.shared'], ['com.example.shared', 'com.example.wallet.vault']],
  ];
  const prefixed = (names) => names.map((name) => `$(AppIdentifierPrefix)${name}`);
  for (const [before, after] of cases) {
    const project = new Project(t, { [ENTITLEMENTS]: xml.buildPlist({ 'keychain-access-groups': prefixed(before) }) });
    await project.prebuild();
    assert.deepStrictEqual(groups(project), prefixed(after));
  }
});

test("Face ID's sentence: the option's, else the app's own, else ours", async (t) => {
  const own = new Project(t);
  own.write({ [PLIST]: xml.buildPlist({ ...plist(own), NSFaceIDUsageDescription: 'Own words.' }) });
  await own.prebuild();
  assert.strictEqual(plist(own).NSFaceIDUsageDescription, 'Own words.');
  await own.prebuild({ options: { faceIDUsage: 'Opens the wallets.' } });
  assert.strictEqual(plist(own).NSFaceIDUsageDescription, 'Opens the wallets.');
  await own.prebuild({ options: { faceIDUsage: { en: 'Opens coins.' } } });
  assert.strictEqual(plist(own).NSFaceIDUsageDescription, 'Opens coins.');
});

test('an app in French is asked in French, and one that is not stays in its own language', async (t) => {
  const english = new Project(t);
  await english.prebuild();
  assert.ok(!fs.existsSync(english.path(FRENCH)), 'fr.lproj alone would make iOS show the app in French');
  const cases = [
    [{ fr: { CFBundleDisplayName: 'Portefeuille' } }, undefined, 'Face ID ouvre votre coffre.'],
    [{ fr: './languages/fr.json' }, undefined, 'Face ID ouvre votre coffre.'],
    [{ fr: { CFBundleDisplayName: 'Portefeuille', ios: { NSFaceIDUsageDescription: 'Les siens.' } } }, undefined, 'Les siens.'],
    [{ fr: { CFBundleDisplayName: 'Portefeuille', NSFaceIDUsageDescription: 'Les siens.' } }, undefined, 'Les siens.'],
    [{ fr: { CFBundleDisplayName: 'Portefeuille' } }, { fr: 'Pour ouvrir.' }, 'Pour ouvrir.'],
  ];
  for (const [locales, faceIDUsage, expected] of cases) {
    const project = new Project(t, { 'languages/fr.json': '{ "CFBundleDisplayName": "Portefeuille" }' });
    await project.prebuild({ app: { locales }, options: { faceIDUsage } });
    assert.ok(project.read(FRENCH).includes('"CFBundleDisplayName" = "Portefeuille";'));
    assert.ok(project.read(FRENCH).includes(`"NSFaceIDUsageDescription" = "${expected}";`), project.read(FRENCH));
  }
  const project = new Project(t, { 'languages/fr.json': 'no JSON' });
  const app = { locales: { fr: './languages/fr.json' } };
  await refuses(project, () => project.prebuild({ app }), 'CONFLICT', /fr\.json/);
});

test("the example app's app.json goes through it, in both languages", async (t) => {
  const folder = path.join(__dirname, '../../../Examples/ReactNativeWallet');
  const { expo: app } = JSON.parse(fs.readFileSync(path.join(folder, 'app.json'), 'utf8'));
  assert.deepStrictEqual(app.plugins, ['@thumbturn/react-native']);
  const languages = Object.values(app.locales).map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]);
  const project = new Project(t, Object.fromEntries(languages));
  await project.prebuild({ app });
  assert.strictEqual(plist(project).NSFaceIDUsageDescription, 'Face ID opens your vault.');
  assert.match(project.read(FRENCH), /^"CFBundleDisplayName" = "Portefeuille";\n"NSFaceIDUsageDescription" = "Face ID ouvre votre coffre\.";$/);
  assert.strictEqual(plist(project).ThumbturnAccessGroup, '$(AppIdentifierPrefix)com.example.thumbturn.wallet.vault');
});

// --- what it refuses ---------------------------------------------------------------------------------------------

test('options without sense are refused before anything is written', async (t) => {
  const cases = [
    ['keychain', /must be an object/],
    [[], /must be an object/],
    [{ faceIdUsage: 'a' }, /no "faceIdUsage"; there are: faceIDUsage/],
    [{ faceIDUsage: false }, /must be a sentence|must be an object/],
    [{ faceIDUsage: ' ' }, /must be a sentence/],
    [{ faceIDUsage: { de: 'Nein.' } }, /no "de"; there are: en, fr/],
    [{ faceIDUsage: { fr: '' } }, /faceIDUsage\.fr must be a sentence/],
    [{ keychainGroup: 'vault' }, /must be a name such as/],
    [{ keychainGroup: '$(AppIdentifierPrefix)com.example.vault' }, /must be a name such as/],
    [{ keychainGroup: 'ABCDE12345.com.example.vault' }, /without the Team ID/],
    [{ keychainGroup: 'com.example.wallet' }, /must differ from ios\.bundleIdentifier/],
    [{ keychainGroup: 7 }, /must be a name such as/],
    [{ backupRules: 'rules' }, /backupRules must be the path of an XML file/],
    [{ dataExtractionRules: {} }, /dataExtractionRules must be the path of an XML file/],
  ];
  for (const [options, says] of cases) {
    const project = new Project(t);
    await refuses(project, () => project.prebuild({ options }), 'OPTION', says);
  }
  const project = new Project(t);
  const app = { ios: {} };
  await refuses(project, () => project.prebuild({ app, platforms: ['ios'] }), 'OPTION', /lacks ios\.bundleIdentifier/);
  await project.prebuild({ app, platforms: ['android'] });
  await project.prebuild({ options: null });
});

test('an app.json that asks for backups, blocks the permission, or has several windows is refused', async (t) => {
  const project = new Project(t);
  await refuses(project, () => project.prebuild({ app: { android: { allowBackup: true } } }), 'CONFLICT', /allowBackup: true/);
  const blockedPermissions = ['android.permission.USE_BIOMETRIC'];
  await refuses(project, () => project.prebuild({ app: { android: { blockedPermissions } } }), 'CONFLICT', /blockedPermissions/);
  const windows = new Project(t);
  const scenes = { UIApplicationSupportsMultipleScenes: true };
  windows.write({ [PLIST]: xml.buildPlist({ ...plist(windows), UIApplicationSceneManifest: scenes }) });
  await assert.rejects(windows.prebuild(), { code: 'CONFLICT', message: /one lock screen/ });
});

test('a plugin that undoes it after it is named, and so is the remedy', async (t) => {
  const undo = {
    backup: (config) =>
      expo.withAndroidManifest(config, (mod) => {
        mod.modResults.manifest.application[0].$['android:allowBackup'] = 'true';
        return mod;
      }),
    rules: (config) =>
      expo.withAndroidManifest(config, (mod) => {
        delete mod.modResults.manifest.application[0].$['android:dataExtractionRules'];
        return mod;
      }),
    version: (config) =>
      expo.withGradleProperties(config, (mod) => {
        mod.modResults.find((item) => item.key === 'android.minSdkVersion').value = '24';
        return mod;
      }),
    anotherVersion: (config) =>
      expo.withGradleProperties(config, (mod) => {
        mod.modResults.push({ type: 'property', key: 'android.minSdkVersion', value: '24' });
        return mod;
      }),
    noVersion: (config) =>
      expo.withGradleProperties(config, (mod) => {
        mod.modResults = mod.modResults.filter((item) => item.key !== 'android.minSdkVersion');
        return mod;
      }),
  };
  for (const [what, plugin] of Object.entries(undo)) {
    await assert.rejects(
      new Project(t).prebuild({ plugins: [plugin, withThumbturn] }),
      { code: 'UNDONE', message: /Name "@thumbturn\/react-native" first in the plugins/ },
      what,
    );
    if (what === 'backup') await new Project(t).prebuild({ plugins: [withThumbturn, plugin] });
  }
});

test('it needs nothing but expo/config-plugins and node', () => {
  const folder = path.join(__dirname, '../../../ReactNative/plugin');
  const sources = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
  const needed = sources.flatMap((source) => [...source.matchAll(/require\('([^']+)'\)/g)]);
  const foreign = new Set(needed.map(([, name]) => name).filter((name) => !name.startsWith('./')));
  assert.deepStrictEqual([...foreign].sort(), ['expo/config-plugins', 'fs', 'path']);
});

test('it is type-checked against the declarations, which refuse what Expo does not have', (t) => {
  const env = { ...process.env, NODE_V8_COVERAGE: '' }; // the compiler's own lines are not what is measured
  const check = (project) => spawnSync('tsc', ['-p', project], { encoding: 'utf8', env }).stdout;
  assert.equal(check(__dirname), '');
  const planted = {
    'result.js': ['TS2551', 'plugins.withInfoPlist(config, (mod) => (mod.modResult, mod));'],
    'name.js': ['TS2339', 'plugins.withAppManifest(config, (mod) => mod);'],
    'value.js': [
      'TS2322',
      "plugins.withGradleProperties(config, (mod) => (mod.modResults.push({ type: 'property', key: 'a', value: 30 }), mod));",
    ],
    'answer.js': ['TS2322', 'plugins.withPodfileProperties(config, () => 30);'],
  };
  const project = new Project(t);
  const head = [
    '// @ts-check',
    "const plugins = require('expo/config-plugins');",
    "/** @type {import('expo/config-plugins').ExpoConfig} */",
    'const config = {};',
  ];
  for (const [name, [, line]] of Object.entries(planted)) project.write({ [name]: [...head, line, 'module.exports = {};'].join('\n') });
  const declarations = ['node.d.ts', '../../../ReactNative/declarations/expo-config-plugins.d.ts'];
  const files = [...declarations.map((file) => path.join(__dirname, file)), ...Object.keys(planted).map((name) => project.path(name))];
  project.write({ 'tsconfig.json': JSON.stringify({ extends: path.join(__dirname, 'tsconfig.json'), files }) });
  const told = check(project.root);
  for (const [name, [error]] of Object.entries(planted)) assert.match(told, new RegExp(`${name}\\(5,\\d+\\): error ${error}`), told);
});
