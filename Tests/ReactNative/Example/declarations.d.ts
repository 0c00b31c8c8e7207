// What the example app and the README's sample name besides the package, written by hand; an app has `@types/react` and the
// packages' own. Names that the package itself uses are declared in ReactNative/declarations.

// github.com/facebook/react v18.2.0: packages/react/src/jsx/ReactJSX.js
declare module 'react/jsx-runtime' {
  import type { ReactElement } from 'react';

  export namespace JSX {
    type Element = ReactElement | null;
    interface ElementChildrenAttribute {
      children: {};
    }
    interface IntrinsicAttributes {
      key?: string | number;
    }
  }
  export function jsx(type: unknown, props: unknown, key?: string | number): ReactElement;
  export function jsxs(type: unknown, props: unknown, key?: string | number): ReactElement;
  export const Fragment: unknown;
}

// docs.expo.dev/versions/v52.0.0/sdk/expo, "registerRootComponent"
declare module 'expo' {
  export function registerRootComponent(component: () => unknown): void;
}

// reactnative.dev/docs/0.76: text, textinput, scrollview, switch, pressable
declare module 'react-native' {
  import type { ComponentType, ReactNode } from 'react';

  type Role = 'header' | 'alert' | 'button';
  interface Common {
    readonly children?: ReactNode;
    readonly style?: StyleProp<ViewStyle>;
    readonly accessibilityRole?: Role;
    readonly accessibilityLabel?: string;
  }
  export const Text: ComponentType<Common>;
  export const ScrollView: ComponentType<
    Common & { contentContainerStyle?: StyleProp<ViewStyle>; keyboardShouldPersistTaps?: 'always' | 'never' | 'handled' }
  >;
  export const Pressable: ComponentType<Common & { disabled?: boolean; onPress?: () => void }>;
  export const Switch: ComponentType<Common & { value?: boolean; disabled?: boolean; onValueChange?: (value: boolean) => void }>;
  export const TextInput: ComponentType<
    Common & {
      value?: string;
      onChangeText?: (text: string) => void;
      autoCapitalize?: 'none' | 'sentences' | 'words' | 'characters';
      autoCorrect?: boolean;
    }
  >;
}
