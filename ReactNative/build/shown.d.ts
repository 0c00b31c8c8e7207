import { VaultError } from './refusal';
import { Offer, ScreenFields } from './value';
/** A sensor, as seed 002 names it. */
export declare type BiometryType = 'FACE_ID' | 'TOUCH_ID' | 'NONE';
/** What a screen shows, null before there is anything, or why there will be nothing. */
export declare type Shown = ScreenFields | null | VaultError;
/** Follows one screen: renders once for each change of it. */
export declare function useShown(name: string): Shown;
export declare function readBiometry(name: unknown): BiometryType;
export declare function readCount(count: unknown): number;
export declare function readText(text: unknown): string | undefined;
export declare function readTexts(fields: ScreenFields | null): readonly string[];
export declare function readOffers(fields: ScreenFields | null): readonly Offer[];
