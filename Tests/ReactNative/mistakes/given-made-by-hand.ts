// refused: TS2741
// Only an action gives.
import { GivenSecret } from '@thumbturn/react-native';

export const given: GivenSecret = {};
