// refused: TS2322
// Our declarations of React Native know what a view takes.
import { createElement } from 'react';
import { View } from 'react-native';
export const view = createElement(View, { testID: 1 });
