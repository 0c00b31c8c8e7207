import { VaultCover, openVault } from '@thumbturn/react-native';
import { Entrance } from './Entrance';
import { language } from './words';
import { styles } from './styles';

// Once, where the app starts: it asks nobody, and the first screen is there with the first frame.
openVault({ language, secret: { kind: 'pin', length: 6 } });

/** The app: all of it is covered while it is not in front. */
export function App() {
  return (
    <VaultCover style={styles.app}>
      <Entrance />
    </VaultCover>
  );
}
