// What the plugin uses of `expo/config-plugins`, which can't be had here: the contract of each name, not its code.
//
// Read in github.com/expo/expo, packages/@expo/config-plugins 55.0.6 (package.json at 0232eb4):
//   withMod, mods as a stack: src/plugins/withMod.ts (1c51497). The mod that was added last runs first, then hands on.
//   evalModsAsync, `dangerous` first: src/plugins/mod-compiler.ts (1c51497); `finalized` last: src/plugins/withFinalizedMod.ts (631cfd0)
//   createRunOncePlugin: src/plugins/withRunOnce.ts (1c51497)
//   providers of manifest, gradleProperties: src/plugins/withAndroidBaseMods.ts (0677ef0); introspection writes nothing
//   parsePropertiesFile: src/android/Properties.ts (6587c49)
//   ensureToolsAvailable, getMainApplicationOrThrow: src/android/Manifest.ts (1859076)
//   parseXMLAsync: src/utils/XML.ts (0321fd5)
//   podfileProperties, infoPlist, entitlements, xcodeproj: src/Plugin.types.ts (0b5908b)
// The base mods of app.json that matter here: setAllowBackup in src/android/AllowBackup.ts (116df8c), blocked permissions in
// src/android/Permissions.ts (0929333), locales in src/ios/Locales.ts (0d43bc2). They are added after the app's plugins, so run first.
'use strict';

const fs = require('fs');
const path = require('path');
const xml = require('./xml.js');

function withMod(config, { platform, mod, action }) {
  const stack = { ...config.mods?.[platform] };
  stack[mod] = [...(stack[mod] ?? []), action];
  return { ...config, mods: { ...config.mods, [platform]: stack } };
}

const named = (platform, mod) => (config, action) => withMod(config, { platform, mod, action });

const withAndroidManifest = named('android', 'manifest');
const withGradleProperties = named('android', 'gradleProperties');
const withInfoPlist = named('ios', 'infoPlist');
const withEntitlementsPlist = named('ios', 'entitlements');
const withPodfileProperties = named('ios', 'podfileProperties');
const withXcodeProject = named('ios', 'xcodeproj');
const withFinalizedMod = (config, [platform, action]) => withMod(config, { platform, mod: 'finalized', action });

function createRunOncePlugin(plugin, name) {
  return (config, props) => {
    const history = config._internal?.pluginHistory ?? {};
    if (history[name] !== undefined) return config;
    return plugin({ ...config, _internal: { ...config._internal, pluginHistory: { ...history, [name]: { name } } } }, props);
  };
}

// Each file: where it is, how it is read and written.
const PROVIDERS = {
  android: {
    manifest: [() => 'app/src/main/AndroidManifest.xml', xml.parse, (value) => xml.build(value)],
    gradleProperties: [() => 'gradle.properties', parseProperties, writeProperties],
  },
  ios: {
    xcodeproj: [(name) => `${name}.xcodeproj/project.pbxproj`, parseProject, (value) => value.text()],
    infoPlist: [(name) => `${name}/Info.plist`, xml.parsePlist, xml.buildPlist],
    entitlements: [(name) => `${name}/${name}.entitlements`, xml.parsePlist, xml.buildPlist],
    podfileProperties: [() => 'Podfile.properties.json', JSON.parse, (value) => JSON.stringify(value, null, 2)],
  },
};

function parseProperties(text) {
  return text.split('\n').map((line) => {
    const trimmed = line.trim();
    if (trimmed === '') return { type: 'empty' };
    if (trimmed.startsWith('#')) return { type: 'comment', value: trimmed.slice(1).trimStart() };
    const end = trimmed.indexOf('=');
    return { type: 'property', key: trimmed.slice(0, end), value: trimmed.slice(end + 1) };
  });
}

function writeProperties(items) {
  const line = { empty: () => "", comment: (item) => `# ${item.value}`, property: (item) => `${item.key}=${item.value}` };
  return items.map((item) => line[item.type](item)).join('\n');
}

/** The build configurations of a project, as the package `xcode` 3.0.1 lists them: a comment is an entry of its own, a string. */
function parseProject(text) {
  const section = {};
  for (const [, id, name, settings] of text.matchAll(/(\w{24}) \/\* (\w+) \*\/ = \{\s*isa = XCBuildConfiguration;\s*buildSettings = \{([^}]*)\}/g)) {
    const pairs = [...settings.matchAll(/(\w+) = ([^;]+);/g)].map(([, key, value]) => [key, value]);
    section[id] = { isa: 'XCBuildConfiguration', buildSettings: Object.fromEntries(pairs), name };
    section[`${id}_comment`] = name;
  }
  return {
    pbxXCBuildConfigurationSection: () => section,
    text: () =>
      Object.entries(section).reduce((whole, [id, entry]) => {
        if (typeof entry === 'string') return whole;
        const target = entry.buildSettings.IPHONEOS_DEPLOYMENT_TARGET;
        return whole.replace(new RegExp(`(${id} [\\s\\S]*?IPHONEOS_DEPLOYMENT_TARGET = )[^;]+;`), `$1${target};`);
      }, text),
  };
}

/** Runs the mods over a project as `expo prebuild` does: what it finds on the disk is read, handed through, written. */
async function compileMods(config, { projectRoot, projectName = 'Wallet', introspect = false, platforms = ['android', 'ios'] }) {
  for (const platform of platforms) {
    const providers = PROVIDERS[platform];
    const platformProjectRoot = path.join(projectRoot, platform);
    const request = { projectRoot, platformProjectRoot, platform, projectName, introspect };
    const stacks = config.mods?.[platform] ?? {};
    for (const [mod, [place, read, write]] of Object.entries(providers)) {
      if (stacks[mod] === undefined) continue;
      const file = path.join(platformProjectRoot, place(projectName));
      const modResults = await run(stacks[mod], config, { ...request, modName: mod }, read(fs.readFileSync(file, 'utf8')));
      if (!introspect) fs.writeFileSync(file, write(modResults));
    }
    if (!introspect) await run(stacks.finalized ?? [], config, { ...request, modName: 'finalized' }, {});
  }
}

async function run(stack, config, modRequest, modResults) {
  for (const action of [...stack].reverse()) {
    ({ modResults } = await action({ ...config, modRequest, modResults }));
  }
  return modResults;
}

/** The base mods, which Expo adds after the app's own plugins. */
function withBaseMods(config) {
  const blocked = config.android?.blockedPermissions ?? [];
  config = withAndroidManifest(config, (mod) => {
    const application = mod.modResults.manifest.application[0];
    application.$['android:allowBackup'] = String(config.android?.allowBackup ?? true);
    const others = (mod.modResults.manifest['uses-permission'] ?? []).filter((item) => !blocked.includes(item.$['android:name']));
    const removed = blocked.map((name) => ({ $: { 'android:name': name, 'tools:node': 'remove' } }));
    mod.modResults.manifest['uses-permission'] = [...others, ...removed];
    return mod;
  });
  return withXcodeProject(config, (mod) => {
    for (const [language, texts] of Object.entries(mod.locales ?? {})) {
      const { ios = {}, android, ...rest } = typeof texts === 'string' ? {} : texts;
      const folder = path.join(mod.modRequest.platformProjectRoot, mod.modRequest.projectName, `Supporting/${language}.lproj`);
      fs.mkdirSync(folder, { recursive: true });
      const lines = Object.entries({ ...rest, ...ios }).map(([key, value]) => `"${key}" = "${value}";`);
      fs.writeFileSync(path.join(folder, 'InfoPlist.strings'), lines.join('\n'));
    }
    return mod;
  });
}

const AndroidConfig = {
  Manifest: {
    ensureToolsAvailable(document) {
      document.manifest.$['xmlns:tools'] ??= 'http://schemas.android.com/tools';
      return document;
    },
    getMainApplicationOrThrow(document) {
      const found = document.manifest.application?.find((item) => item.$['android:name'].endsWith('.MainApplication'));
      if (found === undefined) throw new Error('AndroidManifest.xml is missing the required MainApplication element');
      return found;
    },
  },
};

module.exports = {
  AndroidConfig,
  XML: { parseXMLAsync: async (text) => xml.parse(text) },
  createRunOncePlugin,
  withAndroidManifest,
  withEntitlementsPlist,
  withFinalizedMod,
  withGradleProperties,
  withInfoPlist,
  withPodfileProperties,
  withXcodeProject,
  // not Expo's: what `expo prebuild` does around them
  compileMods,
  withBaseMods,
};
