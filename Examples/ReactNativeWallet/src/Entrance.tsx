import { useAppUnlock, useScreen } from '@thumbturn/react-native';
import { Home } from './Home';
import { Screen } from './Screen';

/** From nothing to a vault, and from a vault to what only its owner sees. */
export function Entrance() {
  const { fields } = useScreen('app');
  const { screen } = useAppUnlock();
  if (fields?.isRecovering === true) return <Screen name="recover" />;
  switch (fields?.screen) {
    case 'onboarding':
      return <Screen name="onboarding" />;
    case 'vault':
      return screen.name === 'content' ? <Home /> : <Screen name="unlock" />;
    default:
      return <Screen name="app" />;
  }
}
