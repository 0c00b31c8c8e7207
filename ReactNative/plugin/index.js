// The Expo config plugin: what both phones' projects need for a vault, written at each `expo prebuild`.
//
// A mod that is added last runs first. So the plugin that stands first in app.json has the last word, and this one should stand
// there; what another undoes all the same is noticed at the end (`finished.js`).
// @ts-check
'use strict';

const { createRunOncePlugin } = require('expo/config-plugins');
const { withAndroidVault } = require('./android');
const { withFinished } = require('./finished');
const { withAppleVault } = require('./apple');
const { PluginError } = require('./error');
const { readOptions } = require('./options');

/** @type {import("expo/config-plugins").ConfigPlugin<unknown>} */
function withThumbturn(config, props) {
  const options = readOptions(props, config);
  return withFinished(withAndroidVault(withAppleVault(config, options), options));
}

module.exports = createRunOncePlugin(withThumbturn, '@thumbturn/react-native');
module.exports.PluginError = PluginError;
