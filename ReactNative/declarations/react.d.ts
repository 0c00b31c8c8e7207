// The few names of React that this package uses, as React 18.2 documents them: react.dev/reference/react. Written by hand, so that
// the package is type-checked where no @types/react can be had; `Scripts/react-native.sh` compiles it against Debian's as well.
declare module 'react' {
  // react.dev/reference/react/createElement, /isValidElement
  export interface ReactElement<P = any> {
    readonly type: string | ComponentType<any>;
    readonly props: P;
    readonly key: string | number | null;
  }
  // react.dev/learn/passing-props-to-a-component, "Passing JSX as children"
  export type ReactNode = ReactElement | string | number | boolean | null | undefined | readonly ReactNode[];
  export type ComponentType<P = {}> = (props: P) => ReactElement | null;
  export function createElement<P extends {}>(
    type: string | ComponentType<P>,
    props?: (P & { key?: string | number }) | null,
    ...children: ReactNode[]
  ): ReactElement<P>;

  // react.dev/reference/react/StrictMode
  export const StrictMode: ComponentType<{ children?: ReactNode }>;
  // react.dev/reference/react/useEffect
  export function useEffect(effect: () => void | (() => void), dependencies?: readonly unknown[]): void;
  // react.dev/reference/react/useMemo
  export function useMemo<T>(calculate: () => T, dependencies: readonly unknown[] | undefined): T;
  // react.dev/reference/react/useRef
  export function useRef<T>(initial: T): { current: T };
  // react.dev/reference/react/useState
  export function useState<T>(initial: T | (() => T)): [T, (next: T | ((former: T) => T)) => void];
  // react.dev/reference/react/useSyncExternalStore
  export function useSyncExternalStore<T>(
    subscribe: (listener: () => void) => () => void,
    getSnapshot: () => T,
    getServerSnapshot?: () => T,
  ): T;
}
