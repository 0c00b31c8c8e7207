// refused: TS2344
// A field that the seed has and ours lacks is noticed.
import type { useAppUnlock } from '@thumbturn/react-native';
import type { UseAppUnlockResult } from '../seed';
type Fits<Ours extends Seed, Seed> = Ours;
export type Hook = Fits<typeof useAppUnlock, () => UseAppUnlockResult & { lastFactor: string }>;
