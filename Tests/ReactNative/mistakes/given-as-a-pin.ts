// refused: TS2345
// What an action gave is shown, and counts for nothing else.
import { GivenSecret, UseAppUnlockResult } from '@thumbturn/react-native';

export const again = (hook: UseAppUnlockResult, given: GivenSecret): Promise<void> => hook.unlockWithPassword(given);
