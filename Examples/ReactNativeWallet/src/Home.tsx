import { useState } from 'react';
import { ScrollView, Text, View } from 'react-native';
import { Offer, ScreenAction, useAppUnlock, useScreen } from '@thumbturn/react-native';
import { Button } from './Button';
import { Screen } from './Screen';
import { Settings } from './Settings';
import { styles } from './styles';
import { words } from './words';

interface Wallet {
  readonly id: string;
  readonly name: string;
  readonly offers: readonly Offer[];
}

/** What is there while the vault is open: the wallets with their words, and the settings. */
export function Home() {
  const { fields, send } = useScreen('wallets');
  // There is such a screen while a wallet's words are asked for, until they are left.
  const { fields: shown } = useScreen('words');
  const { lock } = useAppUnlock();
  const [inSettings, setInSettings] = useState(false);
  const wallets = (fields?.list ?? []) as readonly Wallet[];

  if (shown) return <Screen name="words" />;
  if (inSettings) return <Settings onBack={() => setInSettings(false)} />;
  // A refusal stands in the fields; the list comes by itself.
  const ask = (action: ScreenAction): void => void send(action).catch(() => undefined);
  return (
    <ScrollView contentContainerStyle={styles.screen}>
      <Text accessibilityRole="header" style={styles.title}>{words.wallets}</Text>
      {wallets.map(({ id, name, offers }) => (
        <View key={id} style={styles.row}>
          <Text style={styles.text}>{name}</Text>
          {offers.map(({ action, label }) => <Button key={label} label={label} onPress={() => ask(action)} />)}
        </View>
      ))}
      {fields?.error ? <Text accessibilityRole="alert" style={styles.message}>{fields.error.message}</Text> : null}
      <Button label={words.newWallet} disabled={fields?.loading === true} onPress={() => ask({ name: 'create', wallet: `${words.wallet} ${wallets.length + 1}` })} />
      <Button label={words.settings} onPress={() => setInSettings(true)} />
      <Button label={words.lock} onPress={() => void lock().catch(() => undefined)} />
    </ScrollView>
  );
}
