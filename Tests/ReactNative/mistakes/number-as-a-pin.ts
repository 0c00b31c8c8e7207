// refused: TS2345
// A number would name someone's entry.
import { useAppUnlock } from '@thumbturn/react-native';
void useAppUnlock().unlockWithPassword(123456);
