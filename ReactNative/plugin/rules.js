// Android's rules of backup and transfer: others' are kept, and the vault's files are taken out of them.
//
// https://developer.android.com/identity/data/autobackup (read 2026-11): `allowBackup="false"` ends backups to the cloud, and since
// Android 12 not the transfer from phone to phone; that obeys `dataExtractionRules` alone. An `<include>` makes a section a list
// of all that leaves. Android's lint refuses a release (FullBackupContent, fatal) with an `<exclude>` outside of what is included.
// @ts-check
'use strict';

const fs = require('fs');
const path = require('path');
const { XML } = require('expo/config-plugins');
const { PluginError } = require('./error');

/**
 * @typedef {object} Kind
 * @property {"backupRules" | "dataExtractionRules"} option
 * @property {string} attribute of `<application>`
 * @property {string} reference what stands there
 * @property {string} root the element of the file
 * @property {string[]} sections of that element; none where it has rules itself
 */

/** @type {Kind} Android 11 */
const BACKUP = {
  option: 'backupRules',
  attribute: 'android:fullBackupContent',
  reference: '@xml/thumbturn_backup_rules',
  root: 'full-backup-content',
  sections: [],
};

/** @type {Kind} Android 12 and newer */
const EXTRACTION = {
  option: 'dataExtractionRules',
  attribute: 'android:dataExtractionRules',
  reference: '@xml/thumbturn_data_extraction_rules',
  root: 'data-extraction-rules',
  sections: ['cloud-backup', 'device-transfer'],
};

// Since Android 16 QPR2: what goes to another system's phone. Nothing does unless rules ask for it, so it is kept, never made.
const ELSEWHERE = 'cross-platform-transfer';

const DOMAINS = ['root', 'file', 'database', 'sharedpref', 'external'];
DOMAINS.push(...DOMAINS.slice(0, 4).map((name) => `device_${name}`));

/** Where the vault's files are: in `getNoBackupFilesDir()`. */
const VAULT = { domain: 'root', path: 'no_backup' };

/** How the file of merged rules names the one that the manifest had before: what is merged is always what others say now. */
const FORMER = /<!-- Merged with (@xml\/\w+) -->/;

/** @typedef {{ [attribute: string]: string }} Entry a domain, a path, and what else Android knows */
/** @typedef {{ attributes: Entry, include: Entry[], exclude: Entry[], more: Record<string, Entry[]> }} Section */

/**
 * Makes the file of rules that the manifest is to name: others' rules, without the vault.
 *
 * Rules come from what the manifest named before this plugin, and from the option's file; never from what this plugin wrote at an
 * earlier prebuild, so that an `<include>` goes with who asked for it. Where neither asks for anything, nothing leaves: what
 * `allowBackup="false"` meant before Android 12.
 *
 * @param {Kind} kind
 * @param {{ [name: string]: string | undefined }} application its attributes
 * @param {string | null} option a file, from the project's folder
 * @param {import("expo/config-plugins").ModRequest} request
 * @returns {Promise<{ file: string, text: string }>}
 */
async function mergeRules(kind, application, option, request) {
  const present = application[kind.attribute];
  const own = resource(request.platformProjectRoot, kind.reference);
  const isAgain = present === kind.reference;
  const former = isAgain && fs.existsSync(own) ? FORMER.exec(fs.readFileSync(own, 'utf8'))?.[1] : isAgain ? undefined : present;
  const files = [fromManifest(kind, former, request, isAgain)];
  if (option !== null) files.push(existing(path.join(request.projectRoot, option), kind, `app.json's ${kind.option}`));
  /** @type {Map<string, Section>[]} */
  const rules = [];
  for (const file of files) if (file !== null) rules.push(await read(file, kind));
  const merged = sectionNames(kind, rules).map((name) => {
    const asked = rules.flatMap((rule) => rule.get(name) ?? []);
    return { name, section: asked.length === 0 ? nothingLeaves() : withoutVault(reached(union(asked)), kind) };
  });
  return { file: own, text: written(kind, merged, files[0] === null ? undefined : former) };
}

/**
 * The file that the manifest's attribute means: the app's own resource, or one of a library that the app depends on.
 *
 * @param {Kind} kind
 * @param {string | undefined} value
 * @param {import("expo/config-plugins").ModRequest} request
 * @param {boolean} isFormer whether it stood there before an earlier prebuild: then its file may be gone
 */
function fromManifest(kind, value, request, isFormer) {
  if (value === undefined || value === 'true' || value === 'false') return null;
  const own = resource(request.platformProjectRoot, value);
  const libraries = dependencies(request.projectRoot).map((folder) => resource(path.join(folder, 'android'), value, 'src'));
  const file = [own, ...libraries].find((place) => fs.existsSync(place));
  return file ?? (isFormer ? null : existing(own, kind, `AndroidManifest.xml's ${kind.attribute}="${value}"`));
}

/**
 * @param {string} android the folder of the Android project
 * @param {string} reference such as `@xml/rules`
 */
function resource(android, reference, source = 'app/src') {
  return path.join(android, source, 'main/res/xml', `${reference.replace(/^@xml\//, '')}.xml`);
}

/**
 * The folders of what package.json names, as Node finds them from the project.
 *
 * @param {string} projectRoot
 */
function dependencies(projectRoot) {
  const manifest = path.join(projectRoot, 'package.json');
  const names = fs.existsSync(manifest) ? Object.keys(JSON.parse(fs.readFileSync(manifest, 'utf8')).dependencies ?? {}) : [];
  return names.flatMap((name) => {
    try {
      return [path.dirname(require.resolve(`${name}/package.json`, { paths: [projectRoot] }))];
    } catch {
      return [];  // not installed, or it hides its package.json: then its rules are not found either, which is told
    }
  });
}

/**
 * @param {string} file
 * @param {Kind} kind
 * @param {string} who
 */
function existing(file, kind, who) {
  if (fs.existsSync(file)) return file;
  throw new PluginError(
    'RULES_NOT_FOUND',
    `${who} has rules that can't be merged: there is no ${file}. Copy those rules into a file of the project, name it as ` +
      `"${kind.option}" in the plugin's options, and take the attribute out of the manifest`,
  );
}

/**
 * @param {string} file
 * @param {Kind} kind
 * @returns {Promise<Map<string, Section>>} by section; `""` is the whole file's
 */
async function read(file, kind) {
  /** @type {any} */
  let document;
  try {
    document = await XML.parseXMLAsync(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw unreadable(file, String(error));
  }
  const root = document?.[kind.root];
  if (root === undefined) throw unreadable(file, `its element is not <${kind.root}>`);
  if (kind.sections.length === 0) return new Map([['', section(root, file)]]);
  const found = new Map();
  for (const [name, elements] of Object.entries(typeof root === 'string' ? {} : root)) {
    if (name === '$' || name === '_') continue;
    if (![...kind.sections, ELSEWHERE].includes(name)) throw unreadable(file, `<${name}> is unknown`);
    found.set(name, union(/** @type {any[]} */ (elements).map((element) => section(element, file))));
  }
  return found;
}

/**
 * @param {any} element as xml2js has it: text alone where it is empty
 * @param {string} file
 * @returns {Section}
 */
function section(element, file) {
  const { $: attributes = {}, _, ...children } = /** @type {Record<string, any>} */ (typeof element === 'string' ? {} : element);
  const { include = [], exclude = [], ...more } = children;
  const entries = [...include, ...exclude].map((entry) => entry.$ ?? {});
  for (const { domain, path: place = '' } of entries) {
    if (!DOMAINS.includes(domain)) throw unreadable(file, `no domain is called "${domain}"`);
    if (place.includes('..') || place.includes('//')) throw unreadable(file, `Android reads no path like "${place}"`);
  }
  for (const name of Object.keys(more)) {
    if (name !== 'platform-specific-params') throw unreadable(file, `<${name}> is unknown`);
  }
  const plain = (/** @type {any[]} */ elements) => elements.map((item) => ({ ...item.$ }));
  return {
    attributes,
    include: plain(include),
    exclude: plain(exclude),
    more: Object.fromEntries(Object.entries(more).map(([name, elements]) => [name, plain(/** @type {any[]} */ (elements))])),
  };
}

/**
 * @param {string} file
 * @param {string} why
 */
function unreadable(file, why) {
  return new PluginError('RULES_UNREADABLE', `${file} can't be merged: ${why}`);
}

/**
 * @param {Kind} kind
 * @param {Map<string, Section>[]} rules
 */
function sectionNames(kind, rules) {
  if (kind.sections.length === 0) return [''];
  return rules.some((rule) => rule.has(ELSEWHERE)) ? [...kind.sections, ELSEWHERE] : kind.sections;
}

/**
 * What each of several rules lets leave. Where one lists what leaves and another does not, the list holds.
 *
 * @param {Section[]} sections
 * @returns {Section}
 */
function union(sections) {
  const distinct = (/** @type {Entry[]} */ entries) => [...new Map(entries.map((item) => [JSON.stringify(item), item])).values()];
  const more = sections.flatMap((each) => Object.entries(each.more));
  return {
    attributes: Object.assign({}, ...sections.map((each) => each.attributes)),
    include: distinct(sections.flatMap((each) => each.include)),
    exclude: distinct(sections.flatMap((each) => each.exclude)),
    more: Object.fromEntries(more.map(([name]) => [name, distinct(more.flatMap(([other, list]) => (other === name ? list : [])))])),
  };
}

/**
 * Leaves out what is excluded from nothing, now that another's list says what leaves.
 *
 * @param {Section} rules
 * @returns {Section}
 */
function reached(rules) {
  const included = (/** @type {Entry} */ entry) =>
    rules.include.some(({ domain, path: place }) => domain === entry.domain && starts(parts(entry.path), parts(place)));
  return rules.include.length === 0 ? rules : { ...rules, exclude: rules.exclude.filter(included) };
}

/** @returns {Section} */
function nothingLeaves() {
  return { attributes: {}, include: [], exclude: DOMAINS.map((domain) => ({ domain, path: '.' })), more: {} };
}

/**
 * @param {Section} rules
 * @param {Kind} kind
 * @returns {Section}
 */
function withoutVault(rules, kind) {
  const inDomain = rules.include.filter((entry) => entry.domain === VAULT.domain).map((entry) => parts(entry.path));
  const vault = parts(VAULT.path);
  if (inDomain.some((place) => place.length >= vault.length && starts(place, vault))) {
    throw new PluginError(
      'RULES_INCLUDE_VAULT',
      `backup rules include ${VAULT.path}, where the vault is: its files open on this phone alone. Take that <include> out, or ` +
        `name a file without it as "${kind.option}" in the plugin's options`,
    );
  }
  const leaves = rules.include.length === 0 || inDomain.some((place) => starts(vault, place));
  const said = rules.exclude.some((entry) => entry.domain === VAULT.domain && starts(vault, parts(entry.path)));
  return leaves && !said ? { ...rules, exclude: [...rules.exclude, { ...VAULT }] } : rules;
}

/** @param {string | undefined} place */
function parts(place) {
  return (place ?? '').split('/').filter((name) => name !== '' && name !== '.');
}

/**
 * @param {string[]} place
 * @param {string[]} folder
 */
function starts(place, folder) {
  return folder.every((name, index) => place[index] === name);
}

/**
 * @param {Kind} kind
 * @param {{ name: string, section: Section }[]} sections
 * @param {string | undefined} former what the manifest named, if that is in here
 */
function written(kind, sections, former) {
  const tag = (/** @type {string} */ name, /** @type {Entry} */ attributes) =>
    [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`)].join(' ');
  const lines = sections.flatMap(({ name, section: { attributes, include, exclude, more } }) => {
    const indent = name === '' ? '  ' : '    ';
    const entries = [
      ...Object.entries(more).flatMap(([element, list]) => list.map((entry) => tag(element, entry))),
      ...include.map((entry) => tag('include', entry)),
      ...exclude.map((entry) => tag('exclude', entry)),
    ].map((entry) => `${indent}<${entry}/>`);
    return name === '' ? entries : [`  <${tag(name, attributes)}>`, ...entries, `  </${name}>`];
  });
  const note = "<!-- Written by Thumbturn's config plugin at each prebuild: the app's rules, without the vault's files. -->";
  const source = former === undefined ? [] : [`<!-- Merged with ${former} -->`];
  return ['<?xml version="1.0" encoding="utf-8"?>', note, ...source, `<${kind.root}>`, ...lines, `</${kind.root}>`, ''].join('\n');
}

/** @param {string} value */
function escaped(value) {
  return value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}

module.exports = { BACKUP, EXTRACTION, mergeRules };
