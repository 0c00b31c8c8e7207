// The names of React's test renderer that the tests use, as version 18 documents them: legacy.reactjs.org/docs/test-renderer.html.
declare module 'react-test-renderer' {
  import type { ReactElement } from 'react';

  interface Instance {
    readonly type: unknown;
    readonly props: Record<string, any>;
    findAllByType(type: unknown): Instance[];
    findByType(type: unknown): Instance;
  }
  interface Renderer {
    readonly root: Instance;
    toJSON(): unknown;
    toTree(): unknown;
    update(element: ReactElement): void;
    unmount(): void;
  }
  export function create(element: ReactElement, options?: object): Renderer;
  export function act(body: () => void): void;
  export function act(body: () => Promise<void>): Promise<void>;
}
