// refused: TS2540
// What native shows is read.
import { useAppUnlock } from '@thumbturn/react-native';
useAppUnlock().state = 'UNLOCKED';
