// The few names of React Native that this package uses, as React Native 0.76 documents them: reactnative.dev/docs.
declare module 'react-native' {
  import type { ComponentType, ReactNode } from 'react';

  // reactnative.dev/docs/view-style-props; what else a style has is not ours to check.
  export interface ViewStyle {
    readonly [property: string]: unknown;
  }
  // reactnative.dev/docs/style
  export type StyleProp<T> = T | null | undefined | false | '' | readonly StyleProp<T>[];
  // reactnative.dev/docs/view
  export const View: ComponentType<{ children?: ReactNode; style?: StyleProp<ViewStyle>; testID?: string }>;
}

// reactnative.dev/docs/timers
declare function setTimeout(call: () => void, milliseconds: number): number;
declare function clearTimeout(timer: number | undefined): void;
