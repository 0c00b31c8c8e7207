// refused: TS2673
// Only a native field makes an entry.
import { SecretEntry } from '@thumbturn/react-native';
export const entry = new SecretEntry(6);
