// A project as Expo's bare template makes it, in a folder of its own, and `expo prebuild` over it.
'use strict';

const fs = require('fs');
const Module = require('module');
const os = require('os');
const path = require('path');

const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  return name === 'expo/config-plugins' ? path.join(__dirname, 'config-plugins.js') : resolve.call(this, name, ...rest);
};
const expo = require('./config-plugins.js');
const withThumbturn = require('../../../ReactNative/app.plugin.js');

const MANIFEST = `<manifest xmlns:android="http://schemas.android.com/apk/res/android" xmlns:tools="http://schemas.android.com/tools">
  <uses-permission android:name="android.permission.INTERNET"/>
  <uses-permission android:name="android.permission.VIBRATE"/>
  <queries>
    <intent>
      <action android:name="android.intent.action.VIEW"/>
      <category android:name="android.intent.category.BROWSABLE"/>
      <data android:scheme="https"/>
    </intent>
  </queries>
  <application android:name=".MainApplication" android:label="@string/app_name" android:icon="@mipmap/ic_launcher" android:allowBackup="true" android:theme="@style/AppTheme" android:supportsRtl="true">
    <meta-data android:name="expo.modules.updates.ENABLED" android:value="false"/>
    <activity android:name=".MainActivity" android:configChanges="keyboard|orientation|screenSize|uiMode" android:launchMode="singleTask" android:windowSoftInputMode="adjustResize" android:exported="true">
      <intent-filter>
        <action android:name="android.intent.action.MAIN"/>
        <category android:name="android.intent.category.LAUNCHER"/>
      </intent-filter>
    </activity>
  </application>
</manifest>
`;

const GRADLE = `# Project-wide Gradle settings.

org.gradle.jvmargs=-Xmx2048m -XX:MaxMetaspaceSize=512m
android.useAndroidX=true
newArchEnabled=true
hermesEnabled=true
`;

const PODFILE = `require 'json'
podfile_properties = JSON.parse(File.read(File.join(__dir__, 'Podfile.properties.json'))) rescue {}
platform :ios, podfile_properties['ios.deploymentTarget'] || '15.1'
target 'Wallet' do
  use_expo_modules!
end
`;

const PLIST = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>CFBundleDisplayName</key>
  <string>Wallet &amp; Co</string>
  <key>LSRequiresIPhoneOS</key>
  <true/>
  <key>CFBundleURLTypes</key>
  <array>
    <dict>
      <key>CFBundleURLSchemes</key>
      <array><string>com.example.wallet</string></array>
    </dict>
  </array>
  <key>NSAppTransportSecurity</key>
  <dict>
    <key>NSAllowsArbitraryLoads</key>
    <false/>
  </dict>
</dict>
</plist>
`;

const PROJECT = `/* Begin XCBuildConfiguration section */
		13B07F941A680F5B00A75B9A /* Debug */ = {
			isa = XCBuildConfiguration;
			buildSettings = {
				IPHONEOS_DEPLOYMENT_TARGET = 15.1;
				PRODUCT_BUNDLE_IDENTIFIER = com.example.wallet;
			};
			name = Debug;
		};
		83CBBA201A601CBA00E9B192 /* Release */ = {
			isa = XCBuildConfiguration;
			buildSettings = {
				SDKROOT = iphoneos;
			};
			name = Release;
		};
/* End XCBuildConfiguration section */
`;

const FILES = {
  'android/app/src/main/AndroidManifest.xml': MANIFEST,
  'android/gradle.properties': GRADLE,
  'ios/Podfile': PODFILE,
  'ios/Podfile.properties.json': '{\n  "expo.jsEngine": "hermes"\n}',
  'ios/Wallet/Info.plist': PLIST,
  'ios/Wallet/Wallet.entitlements': '<plist version="1.0"><dict/></plist>',
  'ios/Wallet.xcodeproj/project.pbxproj': PROJECT,
  'package.json': '{ "name": "wallet", "dependencies": { "expo": "~54.0.0" } }',
};

class Project {
  /** Makes a project of the template's files, with some in place of its own. */
  constructor(test, files = {}) {
    this.root = fs.mkdtempSync(path.join(os.tmpdir(), 'thumbturn-plugin-'));
    test.after(() => fs.rmSync(this.root, { recursive: true, force: true }));
    this.template = { ...FILES, ...files };
    this.write(this.template);
  }

  write(files) {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
      fs.writeFileSync(this.path(name), text);
    }
  }

  path(name) {
    return path.join(this.root, name);
  }

  read(name) {
    return fs.readFileSync(this.path(name), 'utf8');
  }

  /** Every file with its text. */
  all(folder = '') {
    return Object.fromEntries(
      fs.readdirSync(this.path(folder), { withFileTypes: true }).flatMap((entry) => {
        const name = path.join(folder, entry.name);
        return entry.isDirectory() ? Object.entries(this.all(name)) : [[name, this.read(name)]];
      }),
    );
  }

  /** `expo prebuild`: app.json's plugins in their order, then Expo's own; `clean` begins with the template's folders. */
  async prebuild({ app = {}, plugins = [withThumbturn], options = undefined, clean = false, introspect = false, platforms = undefined } = {}) {
    if (clean) {
      for (const folder of ['android', 'ios']) fs.rmSync(this.path(folder), { recursive: true, force: true });
      this.write(Object.fromEntries(Object.entries(this.template).filter(([name]) => /^(android|ios)\//.test(name))));
    }
    let config = { ios: { bundleIdentifier: 'com.example.wallet' }, ...app, _internal: { projectRoot: this.root } };
    for (const plugin of plugins) config = plugin === withThumbturn ? plugin(config, options) : plugin(config);
    config = expo.withBaseMods(config);
    await expo.compileMods(config, { projectRoot: this.root, introspect, platforms });
  }
}

module.exports = { Project, withThumbturn, expo };
