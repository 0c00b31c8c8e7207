// What stands in the files when every plugin has written: a plugin that is listed before this one runs after it.
// @ts-check
'use strict';

const fs = require('fs');
const path = require('path');
const { withFinalizedMod } = require('expo/config-plugins');
const { FLOOR, MIN_SDK } = require('./android');
const { BACKUP, EXTRACTION } = require('./rules');
const { PluginError } = require('./error');

/** @param {import("expo/config-plugins").ExpoConfig} config */
function withFinished(config) {
  return withFinalizedMod(config, [
    'android',
    async (mod) => {
      const folder = mod.modRequest.platformProjectRoot;
      const manifest = fs.readFileSync(path.join(folder, 'app/src/main/AndroidManifest.xml'), 'utf8');
      const wanted = [BACKUP, EXTRACTION].map((kind) => `${kind.attribute}="${kind.reference}"`);
      for (const attribute of ['android:allowBackup="false"', ...wanted]) {
        if (!manifest.includes(attribute)) throw undone(`AndroidManifest.xml lacks ${attribute}`);
      }
      const properties = fs.readFileSync(path.join(folder, 'gradle.properties'), 'utf8');
      const lines = [...properties.matchAll(new RegExp(`^\\s*${MIN_SDK.replace('.', '\\.')}\\s*=(.*)$`, 'gm'))];
      const values = lines.length === 0 ? [''] : lines.map(([, value]) => value.trim());
      const low = values.find((value) => !(Number(value) >= FLOOR));
      if (low !== undefined) throw undone(`gradle.properties has ${MIN_SDK}=${low}, below ${FLOOR}`);
      return mod;
    },
  ]);
}

/** @param {string} what */
function undone(what) {
  const remedy = 'Name "@thumbturn/react-native" first in the plugins of app.json';
  return new PluginError('UNDONE', `${what}: another plugin wrote after this one. ${remedy}`);
}

module.exports = { withFinished };
