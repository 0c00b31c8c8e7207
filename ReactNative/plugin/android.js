// Android: no backup of the vault, the fingerprint's permission, and Android 11. The native half guards the app's windows itself.
// @ts-check
'use strict';

const fs = require('fs');
const path = require('path');
const { AndroidConfig, withAndroidManifest, withGradleProperties } = require('expo/config-plugins');
const { BACKUP, EXTRACTION, mergeRules } = require('./rules');
const { PluginError } = require('./error');

/** @typedef {import("./options").Options} Options */
/** @typedef {import("expo/config-plugins").ExpoConfig} ExpoConfig */
/** @typedef {import("expo/config-plugins").AndroidManifest} AndroidManifest */

const FLOOR = 30;
const MIN_SDK = 'android.minSdkVersion';
const PERMISSION = 'android.permission.USE_BIOMETRIC';

/** What a library's manifest must not say otherwise: the merger of manifests takes the app's. */
const REPLACED = ['android:allowBackup', 'android:fullBackupContent', 'android:dataExtractionRules'];

/**
 * @param {ExpoConfig} config
 * @param {Options} options
 */
function withAndroidVault(config, options) {
  config = withAndroidManifest(config, async (mod) => {
    if (mod.android?.allowBackup === true) {
      throw new PluginError(
        'CONFLICT',
        "app.json has android.allowBackup: true. A vault's files open on this phone alone: take the line out, or write false",
      );
    }
    const { manifest } = AndroidConfig.Manifest.ensureToolsAvailable(mod.modResults);
    const application = AndroidConfig.Manifest.getMainApplicationOrThrow(mod.modResults);
    addPermission(manifest);
    application.$['android:allowBackup'] = 'false';
    const made = [];
    for (const kind of [BACKUP, EXTRACTION]) {
      made.push(await mergeRules(kind, application.$, options[kind.option], mod.modRequest));
      application.$[kind.attribute] = kind.reference;
    }
    const replaced = (application.$['tools:replace'] ?? '').split(',').map((name) => name.trim()).filter(Boolean);
    application.$['tools:replace'] = [...new Set([...replaced, ...REPLACED])].join(',');
    if (!mod.modRequest.introspect) made.forEach(write);
    return mod;
  });
  return withGradleProperties(config, (mod) => {
    const lines = mod.modResults.flatMap((item) => (item.type === 'property' && item.key.trim() === MIN_SDK ? [item] : []));
    if (lines.length === 0) mod.modResults.push({ type: 'property', key: MIN_SDK, value: String(FLOOR) });
    // Of several lines Gradle reads the last, and another tool may read the first.
    for (const line of lines) if (!(Number(line.value) >= FLOOR)) line.value = String(FLOOR);
    return mod;
  });
}

/** @param {AndroidManifest["manifest"]} manifest */
function addPermission(manifest) {
  const permissions = (manifest['uses-permission'] ??= []);
  const found = permissions.find((item) => item.$['android:name'] === PERMISSION);
  if (found === undefined) permissions.push({ $: { 'android:name': PERMISSION } });
  else if (found.$['tools:node'] === 'remove') {
    throw new PluginError('CONFLICT', `android.blockedPermissions has ${PERMISSION}: without it no prompt can be shown`);
  }
}

/** @param {{ file: string, text: string }} made */
function write({ file, text }) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

module.exports = { MIN_SDK, FLOOR, withAndroidVault };
