import { Language } from '@thumbturn/react-native';

/** The phone's language, if it is French. */
export const language: Language = Intl.DateTimeFormat().resolvedOptions().locale.startsWith('fr') ? 'fr' : 'en';

// The app's own labels. Every other text is the library's, and comes with the screen.
const all = {
  en: {
    wallets: 'Wallets',
    wallet: 'Wallet',
    newWallet: 'Add a wallet',
    settings: 'Settings',
    security: 'Security',
    back: 'Back',
    lock: 'Lock',
  },
  fr: {
    wallets: 'Portefeuilles',
    wallet: 'Portefeuille',
    newWallet: 'Ajouter un portefeuille',
    settings: 'Réglages',
    security: 'Sécurité',
    back: 'Retour',
    lock: 'Verrouiller',
  },
};

export const words = all[language];
