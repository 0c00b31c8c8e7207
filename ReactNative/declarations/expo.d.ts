// The few names of Expo that this package uses, as SDK 52 documents them: docs.expo.dev/modules/module-api and
// docs.expo.dev/versions/latest/sdk/expo.
declare module 'expo' {
  import type { ComponentType } from 'react';

  // docs.expo.dev/modules/module-api, "requireOptionalNativeModule": null where there is no such module.
  export function requireOptionalNativeModule<T>(moduleName: string): T | null;
  // docs.expo.dev/modules/native-view-tutorial, "requireNativeView"; the second name is of one view of several.
  export function requireNativeView<P>(moduleName: string, viewName?: string): ComponentType<P>;
}
