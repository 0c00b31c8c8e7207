// iOS: why Face ID is asked for, the vault's keychain group, one window, iOS 15.1.
// @ts-check
'use strict';

const fs = require('fs');
const path = require('path');
const { withEntitlementsPlist, withInfoPlist, withPodfileProperties, withXcodeProject } = require('expo/config-plugins');
const { PluginError } = require('./error');

/** @typedef {import("./options").Options} Options */
/** @typedef {import("expo/config-plugins").ExpoConfig} ExpoConfig */

// The library runs from iOS 15.0, Expo and React Native from 15.1.
const FLOOR = '15.1';
const USAGE = 'NSFaceIDUsageDescription';
const SENTENCE = { en: 'Face ID opens your vault.', fr: 'Face ID ouvre votre coffre.' };

/**
 * @param {ExpoConfig} config
 * @param {Options} options
 */
function withAppleVault(config, options) {
  config = withInfoPlist(withFrench(config, options), (mod) => {
    const plist = mod.modResults;
    if (options.faceIDUsage.en !== undefined) plist[USAGE] = options.faceIDUsage.en;
    else plist[USAGE] ||= SENTENCE.en;
    // Xcode writes the Team ID in place of the first part, so the app finds the whole name here at run time.
    plist.ThumbturnAccessGroup = groupsOf(options).vault;
    const scenes = plist.UIApplicationSceneManifest;
    if (typeof scenes === 'object' && scenes !== null && scenes.UIApplicationSupportsMultipleScenes === true) {
      throw new PluginError(
        'CONFLICT',
        'Info.plist has UIApplicationSupportsMultipleScenes: a vault has one lock screen, in one window',
      );
    }
    return mod;
  });
  config = withEntitlementsPlist(config, (mod) => {
    // iOS puts items that name no group into the first: it must stay the app's own, or another that the app has put there.
    const { own, vault } = groupsOf(options);
    const present = list(mod.modResults['keychain-access-groups']);
    const [first = vault] = present;
    const groups = first === vault ? [own, ...present.filter((group) => group !== own)] : present;
    mod.modResults['keychain-access-groups'] = groups.includes(vault) ? groups : [...groups, vault];
    return mod;
  });
  return withDeploymentTarget(config);
}

/**
 * The app's own keychain group and the vault's, as Xcode completes them.
 *
 * @param {Options} options
 */
function groupsOf({ bundleIdentifier, keychainGroup }) {
  if (bundleIdentifier === null) {
    throw new PluginError('OPTION', 'app.json lacks ios.bundleIdentifier, which the keychain group is named after');
  }
  return { own: `$(AppIdentifierPrefix)${bundleIdentifier}`, vault: `$(AppIdentifierPrefix)${keychainGroup}` };
}

/**
 * Puts the French sentence into `locales.fr`, of which Expo makes `fr.lproj/InfoPlist.strings`. An app that has no `fr` there and
 * says nothing in French stays in its own languages: that file alone would make iOS show a French app.
 *
 * @param {ExpoConfig} config
 * @param {Options} options
 * @returns {ExpoConfig}
 */
function withFrench(config, options) {
  const given = options.faceIDUsage.fr;
  const french = config.locales?.fr;
  if (french === undefined && given === undefined) return config;
  const root = config._internal?.projectRoot;
  const known = typeof french === 'string' ? readJSON(path.join(String(root ?? '.'), french)) : french ?? {};
  const usage = given ?? known.ios?.[USAGE] ?? known[USAGE] ?? SENTENCE.fr;
  // Android has no such text: Expo writes what stands outside of `ios` into both phones' resources.
  return { ...config, locales: { ...config.locales, fr: { ...known, ios: { ...known.ios, [USAGE]: usage } } } };
}

/** @param {string} file */
function readJSON(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    throw new PluginError('CONFLICT', `locales.fr names ${file}, which is no JSON file`);
  }
}

/** @param {ExpoConfig} config */
function withDeploymentTarget(config) {
  config = withPodfileProperties(config, (mod) => {
    const properties = mod.modResults;
    // Without the property the Podfile's own default holds: a newer React Native's is above ours, and must not be lowered.
    const present = properties['ios.deploymentTarget'] ?? podfileDefault(mod.modRequest.platformProjectRoot);
    if (isBelow(present, FLOOR)) properties['ios.deploymentTarget'] = FLOOR;
    return mod;
  });
  return withXcodeProject(config, (mod) => {
    for (const entry of Object.values(mod.modResults.pbxXCBuildConfigurationSection())) {
      // Comments are entries too, and are strings.
      const settings = typeof entry === 'object' ? entry.buildSettings : undefined;
      if (settings?.IPHONEOS_DEPLOYMENT_TARGET === undefined) continue;
      if (isBelow(settings.IPHONEOS_DEPLOYMENT_TARGET, FLOOR)) settings.IPHONEOS_DEPLOYMENT_TARGET = FLOOR;
    }
    return mod;
  });
}

/**
 * What the template's Podfile falls back to, or the oldest where it does not say.
 *
 * @param {string} folder
 */
function podfileDefault(folder) {
  const file = path.join(folder, 'Podfile');
  const podfile = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  return /podfile_properties\['ios\.deploymentTarget'\]\s*\|\|\s*'([0-9.]+)'/.exec(podfile)?.[1] ?? '0';
}

/**
 * @param {string | number} version
 * @param {string} floor
 */
function isBelow(version, floor) {
  const numbers = (/** @type {string | number} */ text) => String(text).replace(/"/g, '').split('.').map(Number);
  const [have, need] = [numbers(version), numbers(floor)];
  for (let place = 0; place < need.length; place++) {
    const difference = (have[place] || 0) - (need[place] || 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/**
 * @param {unknown} value
 * @returns {string[]}
 */
function list(value) {
  return Array.isArray(value) ? [...value] : typeof value === 'string' ? [value] : [];
}

module.exports = { withAppleVault };
