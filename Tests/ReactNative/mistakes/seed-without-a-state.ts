// refused: TS2322
// A hook that lost REVOKED would not be the seed's.
import type { UseAppUnlockResult } from '@thumbturn/react-native';
declare const hook: UseAppUnlockResult;
export const state: 'LOCKED' | 'PROMPTING_BIOMETRIC' | 'UNLOCKED' | 'REQUIRE_PASSWORD' = hook.state;
