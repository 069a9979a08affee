export { type Examples, type ExampleSubject, matchExamples } from "./match-examples.ts";
export {
  type DefinitionExample,
  type Example,
  type ExampleFile,
  type MethodExample,
  readExamples,
} from "./read-examples.ts";
