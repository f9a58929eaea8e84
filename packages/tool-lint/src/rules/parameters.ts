import { type Rule, toolRule } from '../rule.ts';
import { nameSome } from '../text/name-some.ts';
import { type Parameter, schemaParts } from '../text/tool-parameters.ts';

const exampleWords =
  /\be\.\s?g\.|\bfor (?:example|instance)\b|\bexamples?\b|\bsuch as\b|例如|比如|譬如|示例|例[:：]|如[:：“"「'`]/iu;
const takesAny = /\bany (?:JSON |kind of )?(?:value|type)\b|\bJSON value\b|任意(?:的)?(?:值|类型)/iu;
const kinds = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref', 'not'];

/** What a model has to know to fill in a parameter (requirement T4). */
export const parameterRules: readonly Rule[] = [
  parameterRule('parameter-description', (parameter) => descriptionOf(parameter) === '', {
    message: 'without a description',
    advice: 'Describe each, with its unit or format and an example.',
  }),
  parameterRule('parameter-example', lacksExample, {
    message: 'without an example',
    advice: 'Add one to the description, e.g. "Relative to the workspace, e.g. \\"src/sum.mjs\\"".',
  }),
  parameterRule('parameter-type', lacksType, {
    message: 'without a type',
    advice: 'Give each a type, and lists the type of their items.',
  }),
];

function parameterRule(
  id: string,
  lacks: (parameter: Parameter) => boolean,
  said: { readonly message: string; readonly advice: string },
): Rule {
  return toolRule(id, (tool) => {
    const paths = new Set(
      schemaParts(tool)
        .parameters.filter(lacks)
        .map(({ path }) => path),
    );
    if (paths.size === 0) return undefined;
    const subject = paths.size === 1 ? 'A parameter' : `${paths.size} parameters`;
    return { level: 'warning', message: `${subject} ${said.message}: ${nameSome([...paths])}.`, advice: said.advice };
  });
}

function descriptionOf({ schema }: Parameter): string {
  return typeof schema.description === 'string' ? schema.description.trim() : '';
}

/** Where the values are listed, or are yes and no, nothing is left to show. */
function lacksExample(parameter: Parameter): boolean {
  const { schema } = parameter;
  const description = descriptionOf(parameter);
  if (description === '' || exampleWords.test(description)) return false;
  const isListed = 'enum' in schema || 'const' in schema || 'examples' in schema || 'example' in schema;
  return !isListed && schema.type !== 'boolean';
}

/** A parameter that takes any value has no type, and says so. */
function lacksType(parameter: Parameter): boolean {
  const { schema } = parameter;
  if (!kinds.some((kind) => kind in schema)) return !takesAny.test(descriptionOf(parameter));
  return schema.type === 'array' && !('items' in schema) && !('prefixItems' in schema);
}
