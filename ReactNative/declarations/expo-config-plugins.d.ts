// What the config plugin names of `expo/config-plugins`, written by hand: github.com/expo/expo, packages/@expo/config-plugins 55.0.6.
// Each name's file there stands in Tests/ReactNative/Plugin/config-plugins.js. Left out: what is not named.

declare module 'expo/config-plugins' {
  /** app.json, as far as it matters here (@expo/config-types 55.0.5, src/ExpoConfig.ts). */
  export interface ExpoConfig {
    ios?: { bundleIdentifier?: string };
    android?: { allowBackup?: boolean; blockedPermissions?: string[] };
    locales?: { [language: string]: string | LocaleJson };
    _internal?: { projectRoot?: string };
  }

  /** src/utils/locales.ts: texts for both phones, and for one. */
  export interface LocaleJson {
    [key: string]: unknown;
    ios?: { [key: string]: string };
    android?: { [key: string]: string };
  }

  export type ConfigPlugin<Props = void> = (config: ExpoConfig, props: Props) => ExpoConfig;

  /** `ModProps`. */
  export interface ModRequest {
    readonly projectRoot: string;
    readonly platformProjectRoot: string;
    readonly introspect: boolean;
  }

  /** `ExportedConfigWithProps`. */
  export interface Modded<Data> extends ExpoConfig {
    modResults: Data;
    modRequest: ModRequest;
  }

  export type Mod<Data> = (config: Modded<Data>) => Modded<Data> | Promise<Modded<Data>>;

  export function createRunOncePlugin<Props>(plugin: ConfigPlugin<Props>, name: string, version?: string): ConfigPlugin<Props>;

  export interface AndroidManifest {
    manifest: {
      $: { [attribute: string]: string | undefined };
      'uses-permission'?: { $: { 'android:name': string; 'tools:node'?: string } }[];
      application?: ManifestApplication[];
    };
  }

  export interface ManifestApplication {
    $: { 'android:name': string; [attribute: string]: string | undefined };
  }

  export type PropertiesItem =
    | { type: 'comment'; value: string }
    | { type: 'empty' }
    | { type: 'property'; key: string; value: string };

  export interface InfoPlist {
    [key: string]: unknown;
    UIApplicationSceneManifest?: { [key: string]: unknown };
  }

  /** The package `xcode` 3.0.1: a comment is an entry of its own, a string. */
  export interface XcodeProject {
    pbxXCBuildConfigurationSection(): { [id: string]: string | { buildSettings: { [name: string]: string | number } } };
  }

  export const withAndroidManifest: ConfigPlugin<Mod<AndroidManifest>>;
  export const withGradleProperties: ConfigPlugin<Mod<PropertiesItem[]>>;
  export const withInfoPlist: ConfigPlugin<Mod<InfoPlist>>;
  export const withEntitlementsPlist: ConfigPlugin<Mod<{ [key: string]: unknown }>>;
  export const withPodfileProperties: ConfigPlugin<Mod<{ [key: string]: string }>>;
  export const withXcodeProject: ConfigPlugin<Mod<XcodeProject>>;
  export const withFinalizedMod: ConfigPlugin<['android' | 'ios', Mod<unknown>]>;

  export const AndroidConfig: {
    Manifest: {
      ensureToolsAvailable(document: AndroidManifest): AndroidManifest;
      getMainApplicationOrThrow(document: AndroidManifest): ManifestApplication;
    };
  };

  export const XML: { parseXMLAsync(contents: string): Promise<{ [element: string]: unknown }> };
}
