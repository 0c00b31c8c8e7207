// refused: TS1345
// No boolean unlocks: there is none.
import { useAppUnlock } from '@thumbturn/react-native';
export async function open(): Promise<void> {
  if (await useAppUnlock().unlockWithBiometric()) return;
}
