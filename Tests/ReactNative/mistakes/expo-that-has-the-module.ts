// refused: TS2531
// Our declarations of Expo say that the module may not be there.
import { requireOptionalNativeModule } from 'expo';
requireOptionalNativeModule<{ open(): void }>('Thumbturn').open();
