// refused: TS2554
// Our declarations of React refuse what React does.
import { useSyncExternalStore } from 'react';
export const useNothing = (): unknown => useSyncExternalStore(() => () => undefined);
