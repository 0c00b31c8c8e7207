// @ts-check
'use strict';

const { PluginError } = require('./error');

/**
 * What app.json may say beside the plugin's name, checked.
 *
 * @typedef {object} Options
 * @property {Sentence} faceIDUsage why Face ID is asked for, where app.json says so
 * @property {string | null} keychainGroup the vault's keychain access group, without the Team ID; null in an app that is not for iOS
 * @property {string | null} bundleIdentifier the app's own
 * @property {string | null} backupRules a file of backup rules for Android 11 to merge, from the project's folder
 * @property {string | null} dataExtractionRules the same for Android 12 and newer
 */

/** @typedef {{ en?: string, fr?: string }} Sentence */

const KNOWN = ['faceIDUsage', 'keychainGroup', 'backupRules', 'dataExtractionRules'];

/**
 * Reads what app.json says.
 *
 * @param {unknown} props
 * @param {import("expo/config-plugins").ExpoConfig} config
 * @returns {Options}
 */
function readOptions(props, config) {
  const given = members(props ?? {}, 'the options', KNOWN);
  const bundleIdentifier = config.ios?.bundleIdentifier || null;
  return {
    faceIDUsage: sentence(given.faceIDUsage),
    keychainGroup: group(given.keychainGroup, bundleIdentifier),
    bundleIdentifier,
    backupRules: path(given.backupRules, 'backupRules'),
    dataExtractionRules: path(given.dataExtractionRules, 'dataExtractionRules'),
  };
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {string[]} known
 * @returns {Record<string, unknown>}
 */
function members(value, name, known) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PluginError('OPTION', `${name} must be an object with any of: ${known.join(', ')}`);
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) {
      throw new PluginError('OPTION', `${name} have no "${key}"; there are: ${known.join(', ')}`);
    }
  }
  return /** @type {Record<string, unknown>} */ (value);
}

/**
 * @param {unknown} value
 * @returns {Sentence}
 */
function sentence(value) {
  if (value === undefined) return {};
  if (typeof value === 'string') return { en: text(value, 'faceIDUsage') };
  const { en, fr } = members(value, "faceIDUsage's languages", ['en', 'fr']);
  return {
    ...(en === undefined ? {} : { en: text(en, 'faceIDUsage.en') }),
    ...(fr === undefined ? {} : { fr: text(fr, 'faceIDUsage.fr') }),
  };
}

/**
 * @param {unknown} value
 * @param {string} name
 */
function text(value, name) {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new PluginError('OPTION', `${name} must be a sentence: without one, iOS ends an app that asks for Face ID`);
}

/**
 * @param {unknown} value
 * @param {string | null} bundleIdentifier
 */
function group(value, bundleIdentifier) {
  if (value === undefined) return bundleIdentifier && `${bundleIdentifier}.vault`;
  if (typeof value !== 'string' || !/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(value)) {
    throw new PluginError('OPTION', 'keychainGroup must be a name such as "com.example.wallet.vault"');
  }
  if (/^[A-Z0-9]{10}\./.test(value)) {
    throw new PluginError('OPTION', 'keychainGroup is written without the Team ID, which Xcode puts in front');
  }
  if (value === bundleIdentifier) {
    throw new PluginError(
      'OPTION',
      "keychainGroup must differ from ios.bundleIdentifier: in the app's own group a SecItemDelete that names no service deletes " +
        "the vault's keys",
    );
  }
  return value;
}

/**
 * @param {unknown} value
 * @param {string} name
 */
function path(value, name) {
  if (value === undefined) return null;
  if (typeof value === 'string' && value.endsWith('.xml')) return value;
  throw new PluginError('OPTION', `${name} must be the path of an XML file, from the project's folder`);
}

module.exports = { readOptions };
