// refused: TS2322
// Nothing is kept where another device or a locked one could read it.
import { OwnerSecret } from '@thumbturn/react-native';
void OwnerSecret.set('token', 'value', { accessible: 'AccessibleAlways' });
